import { toErrorMessage } from '../../base/errors/errors.ts';
import { toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';

/**
 * The agent's error as text: `data` says more than the message, which is often `Internal error`.
 */
export function formatAcpError(error: unknown): string {
  const { data } = toFields(error);
  const { details, message } = toFields(data);
  const more = [data, details, message].map(toStringOrEmpty).find((said) => said !== '') ?? '';
  const said = toErrorMessage(error);
  return more === '' || said.includes(more) ? said : `${said}: ${more}`;
}

/** Statuses of an endpoint that does not take the key. */
const REFUSED = [401, 403];

/** The error of a turn, with the setting of the key if the endpoint refuses the key. */
export const addKeyAdvice = (status: number, said: string, setting: string): string =>
  REFUSED.includes(status)
    ? `The model's endpoint refuses the key (${status}): ${said.replace(/^Internal error: /, '')}. Check ${setting} and the address in plugins.installed.acp.config.`
    : said;
