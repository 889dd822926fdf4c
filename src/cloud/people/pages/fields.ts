import type { FieldError } from '../../../base/errors/errors.ts';
import { html, type Html } from './html.ts';

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  /** What the browser may fill in, by the standard's names. */
  autocomplete: string;
  hint?: string;
  value?: string;
  className?: string;
  autofocus?: boolean;
}

/** A labelled input with what is wrong with it; a password is never filled in again. */
export function renderField(field: Field, errors: readonly FieldError[] = []): Html {
  const { name, label, type, autocomplete, hint, value = '', className, autofocus } = field;
  const fault = errors.find(({ pointer }) => pointer === name)?.message;
  const notes = [
    ...(fault === undefined ? [] : [`${name}-fault`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required spellcheck="false"
 value="${type === 'password' ? '' : value}"${className !== undefined && html` class="${className}" autocapitalize="characters"`}${autofocus === true && html` autofocus`}${fault !== undefined && html` aria-invalid="true"`}${notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}
</div>`;
}

export const renderHidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export const renderAlert = (message: string | null): Html =>
  message === null ? html`` : html`<p class="alert" role="alert">${message}</p>`;
