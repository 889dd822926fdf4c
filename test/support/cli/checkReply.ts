import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { CLI_REPLIES } from '../../../scripts/reference/cliReplies.ts';

const words = (name: string): string[] =>
  name
    .replace(/Command$/, '')
    .split(/(?=[A-Z])/)
    .map((word) => word.toLowerCase());

/** The id that belongs to the name of a command's class: CampaignShowCommand is campaign:show. */
function toReplyId(name: string): string {
  const parts = words(name);
  return [parts.join(':'), parts.join('-')].find((id) => id in CLI_REPLIES) ?? name;
}

/** Fails where a command's JSON is not what the reference documents. An error is not checked. */
export function checkReply(className: string, out: string): void {
  const id = toReplyId(className);
  const schema: TSchema | string | undefined = CLI_REPLIES[id];
  if (schema === undefined) throw new Error(`The JSON of ${id} is not documented.`);
  if (typeof schema === 'string' || out === '') return;
  const value: unknown = JSON.parse(out);
  if (typeof value === 'object' && value !== null && 'error' in value) return;
  if (Check(schema, value)) return;
  const [first] = Errors(schema, value);
  throw new Error(`${id} --json is not as documented: ${JSON.stringify(first)}\n${out}`);
}
