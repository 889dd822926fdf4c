import { join } from 'node:path';
import { readDraft, type Draft } from '../../src/workflows/overlay/readDraft.ts';
import type { WorkflowTable } from '../../src/contract/schema/workflow/workflow.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { createUnknownToolExplainer } from '../../src/executors/tools/catalogue/toolAllowlist.ts';
import type { Io } from '../io.ts';
import { formatLint } from '../render/workflow/formatLint.ts';
import { readHomeLintContext } from '../local/home/readHomeLintContext.ts';
import { findPackageRoot } from '../findPackageRoot.ts';
import { isUtf8 } from '../../src/base/text/decodeUtf8OrNull.ts';

/** The text of a file that was linted; null = it is not known, or not UTF-8. */
export function decodeSource(source: string | Uint8Array | undefined): string | null {
  if (source === undefined || typeof source === 'string') return source ?? null;
  return isUtf8(source) ? new TextDecoder().decode(source) : null;
}

/**
 * One workflow file (`-` = standard input) with the layers around it, and its table. Findings are
 * reported, except whether this home could run its agents: they do not run here. Throws SvcError
 * `workflow-invalid` where there is no table to work with, `not-found`.
 */
export async function readWorkflowDraft(
  path: string,
  io: Io,
): Promise<Draft & { table: WorkflowTable }> {
  const { aliases, executors, unknownProvider } = await readHomeLintContext(io, path);
  const draft = await readDraft(path, {
    baseIntelligence: join(findPackageRoot(import.meta.url), 'intelligence'),
    unknownTool: createUnknownToolExplainer(['local']),
    ...(aliases && { aliases }),
    ...(unknownProvider && { unknownProvider }),
    ...(executors && { executors: { ids: executors.ids, llm: executors.llm } }),
    ...(path === '-' ? { stdin: await io.readBytes() } : {}),
  });
  const { sketch, diagnostics } = draft.parsed;
  const text = decodeSource(draft.source);
  io.err(diagnostics.map((one) => formatLint(one, io, text)).join(''));
  if (!sketch)
    throw new SvcError('workflow-invalid', `${path} has no phase that can be read.`, {
      data: { diagnostics },
    });
  return { ...draft, table: sketch };
}
