import { readSource } from '../../src/workflows/overlay/readDraft.ts';
import { decodeFileText } from '../../src/workflows/definition/decodeFileText.ts';
import { createFindings } from '../../src/workflows/definition/findings.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Step } from '../../src/workflows/simulation/step.ts';

/** Throws SvcError `not-found`, or `invalid` with `file:line:column` of every mistake. */
export async function readSimulationScript(
  path: string,
  parseScript: (text: string, file: string) => Step[],
): Promise<Step[]> {
  const findings = createFindings(path);
  const text = decodeFileText(await readSource(path), findings);
  if (text !== null) return parseScript(text, path);
  throw new SvcError('invalid', `${path} is not a valid script.`, {
    errors: findings.list.map(({ line, column, message, hint }) => ({
      pointer: `${path}:${line}:${column}`,
      message: `${message} ${hint}`,
    })),
  });
}
