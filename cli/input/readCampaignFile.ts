import { readSource } from '../../src/workflows/overlay/readDraft.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import {
  type ParsedCampaign,
  parseCampaign,
} from '../../src/workflows/definition/parseCampaign.ts';
import type { Io } from '../io.ts';

const STDIN_NAME = '<stdin>';

/**
 * Reads a campaign from a file, or from standard input for `-`. Throws SvcError `not-found`, and
 * `invalid` with `file:line:column` of every mistake.
 */
export async function readCampaignFile(
  path: string,
  io: Pick<Io, 'readBytes'>,
): Promise<NonNullable<ParsedCampaign['job']>> {
  const [name, text] =
    path === '-' ? [STDIN_NAME, await io.readBytes()] : [path, await readSource(path)];
  const { job, diagnostics } = parseCampaign(text, name);
  if (job) return job;
  const count = diagnostics.length === 1 ? '1 error' : `${diagnostics.length} errors`;
  throw new SvcError(
    'invalid',
    `${name} cannot be started as a campaign: ${count}. Nothing was started.`,
    {
      errors: diagnostics.map(({ file, line, column, message, hint }) => ({
        pointer: `${file}:${line}:${column}`,
        message: `${message} ${hint}`.trim(),
      })),
    },
  );
}
