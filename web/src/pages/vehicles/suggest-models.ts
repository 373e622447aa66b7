import { getJson } from '../../browser/get-json.ts'

/** The most models that people look through. */
const MOST_MODELS = 300

/** Suggests the models of the make in the form. */
export function suggestModels(): void {
  const make = document.querySelector<HTMLInputElement>('#field-make')
  const list = document.querySelector('#list-model')
  make?.addEventListener('change', async () => {
    const written = make.value.trim()
    const models = written === '' ? [] : await modelsOf(written)
    if (make.value.trim() === written) list?.replaceChildren(...models.map(asOption))
  })
}

/** The models of a make; none if the service does not answer, because suggestions are only a help. */
async function modelsOf(make: string): Promise<string[]> {
  const query = new URLSearchParams({ by: 'model', top: String(MOST_MODELS), make })
  try {
    const { results } = await getJson<{ results: { model: string }[] }>(`/v1/vehicles/stats?${query}`)
    return results.flatMap(({ model }) => (model === '' ? [] : [model]))
  } catch {
    return []
  }
}

function asOption(value: string): HTMLOptionElement {
  const option = document.createElement('option')
  option.value = value
  return option
}
