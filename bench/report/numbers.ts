/** A figure with thousands separated: `12,345`; `–` where there is none. */
export function whole(figure: number | null | undefined): string {
  return figure === null || figure === undefined || Number.isNaN(figure)
    ? '–'
    : Math.round(figure).toLocaleString('en-GB')
}

/** A figure with so many decimals; `–` where there is none. */
export function decimal(figure: number | null | undefined, digits = 2): string {
  return figure === null || figure === undefined || Number.isNaN(figure) ? '–' : figure.toFixed(digits)
}

/** A figure with three digits that count: `0.0123`, `4.56`, `789`. */
export function short(figure: number | null | undefined): string {
  if (figure === null || figure === undefined || Number.isNaN(figure)) return '–'
  return figure >= 100 ? whole(figure) : String(Number(figure.toPrecision(3)))
}

/** A ratio with two decimals, and with three where it is small. */
export function ratioText(figure: number | null | undefined): string {
  return decimal(figure, figure !== null && figure !== undefined && figure < 0.1 ? 3 : 2)
}
