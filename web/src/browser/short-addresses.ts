/** Leaves fields without a value out of the addresses of forms, so that they read well when they are shared. */
export function shortenAddresses(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="get"], form:not([method])'))
    form.addEventListener('formdata', ({ formData }) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
    })
}
