/** JSON that may stand in an element `script`: nothing in it ends the element (HTML living standard 4.12.1.3). */
export const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
