import { render } from 'preact'
import { api } from '../../texts/en/api.ts'
import '../docs/docs.css'
import './api.css'
import { absolute, setBaseUrl, to } from '../../address.ts'
import { AnswerStatus, AnswerView } from './try/answer.tsx'
import { requestPath } from './try/request.ts'
import { RequestExamples } from './try/request-examples.tsx'
import { send } from './try/send.ts'

/* Sends the form's request and shows the answer below it, in view. Without this script, the form shows the request's address. */

const form = document.querySelector<HTMLFormElement>('#api-try')
const state = document.getElementById('api-state')
const answer = document.getElementById('api-answer')
const link = document.querySelector<HTMLAnchorElement>('#api-address')
const examples = document.getElementById('api-examples')

function address(of: HTMLFormElement): string {
  const values = new Map([...new FormData(of)].map(([name, value]) => [name, String(value)]))
  return requestPath(of.dataset.path ?? '', values)
}

function showRequest(of: HTMLFormElement): void {
  const path = address(of)
  if (link !== null) {
    link.href = to(path)
    link.textContent = to(path)
  }
  if (examples !== null) render(<RequestExamples url={absolute(path)} />, examples)
}

/** Shows the status beside the button, and the answer below both. */
async function showAnswer(of: HTMLFormElement, state: HTMLElement, place: HTMLElement): Promise<void> {
  render(api.sending, state)
  const answer = await send(to(address(of))).catch(() => undefined)
  render(answer === undefined ? api.noAnswer : <AnswerStatus answer={answer} />, state)
  render(answer && <AnswerView answer={answer} />, place)
  if (answer !== undefined) place.scrollIntoView()
}

if (form !== null && state !== null && answer !== null) {
  setBaseUrl(form.dataset.base ?? '')
  // The functions above draw these parts again.
  for (const place of [answer, examples]) place?.replaceChildren()
  showRequest(form)
  form.addEventListener('input', () => showRequest(form))
  form.addEventListener('submit', event => {
    event.preventDefault()
    void showAnswer(form, state, answer)
  })
}
