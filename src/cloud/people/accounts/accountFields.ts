import { SvcError, type FieldError } from '../../../base/errors/errors.ts';
import { PASSWORD_LENGTH } from '../passwords.ts';

const MOST_NAME = 100;
const MOST_EMAIL = 254;
/** What a mailbox looks like; whether it exists, only a mail could show. */
const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/;
const CONTROL = /\p{Cc}/u;

export interface AccountFields {
  name: string;
  email: string;
  password: string;
}

/** Lower case, as it is stored: one mailbox is one account. */
export const toStoredEmail = (email: string): string => email.trim().toLowerCase();

function findNameFault(name: string, what: string): string | null {
  if (name === '') return `Enter ${what}.`;
  if (name.length > MOST_NAME) return `Use at most ${MOST_NAME} characters.`;
  return CONTROL.test(name) ? 'Use letters, digits and punctuation only.' : null;
}

/** What is wrong with a new password; null = nothing. */
export function findPasswordFault(password: string): string | null {
  const { least, most } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < least) return `Use at least ${least} characters.`;
  return length > most ? `Use at most ${most} characters.` : null;
}

/** Whether it can be the name of a person. */
export const isPersonName = (name: string): boolean => findNameFault(name, '') === null;

export const isEmailAddress = (email: string): boolean =>
  EMAIL.test(email) && email.length <= MOST_EMAIL;

const findEmailFault = (email: string): string | null =>
  isEmailAddress(email) ? null : 'Enter an email address.';

/**
 * What a person has typed about a new account, or what is wrong with each field. `pointer` is the
 * name of the field.
 */
export function checkAccountFields(
  form: Readonly<Record<string, string>>,
): { fields: AccountFields } | { errors: FieldError[] } {
  const fields = {
    name: (form.name ?? '').trim(),
    email: toStoredEmail(form.email ?? ''),
    password: form.password ?? '',
  };
  const faults: [string, string | null][] = [
    ['name', findNameFault(fields.name, 'your name')],
    ['email', findEmailFault(fields.email)],
    ['password', findPasswordFault(fields.password)],
  ];
  const errors = faults.flatMap(([pointer, message]) =>
    message === null ? [] : [{ pointer, message }],
  );
  return errors.length > 0 ? { errors } : { fields };
}

/** The name of a team. Throws SvcError `invalid`. */
export function parseTeamName(typedName: string): string {
  const name = typedName.trim();
  const fault = findNameFault(name, 'a name for the team');
  if (fault === null) return name;
  throw new SvcError('invalid', fault, { errors: [{ pointer: '/name', message: fault }] });
}
