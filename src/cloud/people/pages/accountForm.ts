import type { FieldError } from '../../../base/errors/errors.ts';
import { PASSWORD_LENGTH } from '../passwords.ts';
import { renderField } from './fields.ts';
import { html, type Html } from './html.ts';
import type { Form } from './readForm.ts';

/** A form for a new account as a page shows it. */
export interface ShownForm {
  form: Form;
  errors: readonly FieldError[];
  alert: string | null;
  status: number;
}

/** The fields of a new account, filled with the values that were typed before. */
export const renderAccountFields = (form: Form, errors: readonly FieldError[]): Html =>
  html`${renderField({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: form.name ?? '' }, errors)}
${renderField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: form.email ?? '' }, errors)}
${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: `At least ${PASSWORD_LENGTH.least} characters.` }, errors)}`;
