import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';

/** Largest form, bytes. */
const MOST_BYTES = 16 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

export type Form = Readonly<Record<string, string>>;

/** What a form has sent; the first value of a field that was sent twice. */
export async function readForm(ctx: Context): Promise<Form> {
  if (ctx.is(FORM_TYPE) !== FORM_TYPE)
    throw new SvcError('unsupported-type', `Send the form as ${FORM_TYPE}.`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of ctx.req) {
    size += part.length;
    if (size > MOST_BYTES) throw new SvcError('too-large', 'The form is too large.');
    parts.push(part);
  }
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(Buffer.concat(parts).toString('utf8')))
    if (!(name in form)) form[name] = value;
  return form;
}
