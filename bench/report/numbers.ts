/** A figure with separated thousands: `12,345`; `–` for a missing figure. */
export function whole(figure: number | null | undefined): string {
  return figure === null || figure === undefined || Number.isNaN(figure)
    ? '–'
    : Math.round(figure).toLocaleString('en-GB')
}

/** A figure with `digits` decimals; `–` for a missing figure. */
export function decimal(figure: number | null | undefined, digits = 2): string {
  return figure === null || figure === undefined || Number.isNaN(figure) ? '–' : figure.toFixed(digits)
}

/** A figure with three significant digits: `0.0123`, `4.56`, `789`. */
export function short(figure: number | null | undefined): string {
  if (figure === null || figure === undefined || Number.isNaN(figure)) return '–'
  return figure >= 100 ? whole(figure) : String(Number(figure.toPrecision(3)))
}

/** A ratio with two decimals, or three if it is small. */
export function ratioText(figure: number | null | undefined): string {
  return decimal(figure, figure !== null && figure !== undefined && figure < 0.1 ? 3 : 2)
}
