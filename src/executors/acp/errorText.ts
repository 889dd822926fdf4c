import { messageOf } from '../../lib/errors.ts';
import { fields, text } from '../../lib/untrusted.ts';

/**
 * What an agent answered instead of a result: what is in `data` says more than the message, which
 * is often `Internal error`.
 */
export function errorText(error: unknown): string {
  const { data } = fields(error);
  const { details, message } = fields(data);
  const more = [data, details, message].map(text).find((said) => said !== '') ?? '';
  const said = messageOf(error);
  return more === '' || said.includes(more) ? said : `${said}: ${more}`;
}
