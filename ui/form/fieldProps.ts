import type { JSX } from 'solid-js';
import type { Form, FormError } from './createForm.ts';
import type { FormField } from './formSchema.ts';

export interface FieldProps {
  field: FormField;
  form: Form;
  errors: readonly FormError[];
  /** Stands beside the label of a value, such as where it comes from. */
  beside?: ((field: FormField) => JSX.Element) | undefined;
  /** Whether a value is shown; default: each is. A group without one is left out. */
  isShown?: ((field: FormField) => boolean) | undefined;
  /** Id that the elements of the form begin with, where a page has more than one form. */
  idStart?: string | undefined;
}
