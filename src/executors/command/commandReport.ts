import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../lib/errors.ts';
import { type Fields, fields, text } from '../../lib/untrusted.ts';
import { QUOTA_KINDS, type QuotaHit } from '../../domain/quotaKinds.ts';
import { epochMs } from '../process/quota/times.ts';
import type { Usage } from '../../contract/session.ts';

/** File in the folder of the session in which a program may say what its exit code cannot. */
export const REPORT_FILE = 'report.json';
/** Most bytes of it. */
const MAX_BYTES = 16_384;

/** What a program has reported of its session. */
export interface CommandReport {
  /** Tokens of the whole session; null = it does not say. */
  usage: Usage | null;
  /** The model that it used; null = it does not say. */
  model: string | null;
  /** The limit of its model at which it has ended; null = it has not met one. */
  quota: QuotaHit | null;
  /** Why the report cannot be read, for people; null = it can, or it does not exist. */
  problem: string | null;
}

const NOTHING: CommandReport = { usage: null, model: null, quota: null, problem: null };

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function usageIn(value: unknown): Usage | null {
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = fields(value);
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(cachedInputTokens)) return null;
  const usage: Usage = { inputTokens, outputTokens, cachedInputTokens };
  for (const part of ['cacheWriteTokens', 'cacheWrite1hTokens', 'reasoningTokens'] as const) {
    const tokens = fields(value)[part] ?? 0;
    if (!isCount(tokens)) return null;
    if (tokens > 0) usage[part] = tokens;
  }
  return usage;
}

/** `{ "kind": "exhausted", "window": "5 hours", "resetsAt": 1763800000 }`; all may be left out. */
const quotaOf = ({ kind, window, resetsAt }: Fields): QuotaHit => ({
  kind: QUOTA_KINDS.find((known) => known === kind) ?? 'exhausted',
  window: text(window) || null,
  resetsAt: epochMs(resetsAt),
});

function reportOf({ usage: given, model, quota }: Fields): CommandReport {
  const usage = usageIn(given);
  const problem =
    given !== undefined && usage === null
      ? 'usage needs inputTokens and outputTokens, and may have cachedInputTokens, cacheWriteTokens, cacheWrite1hTokens and reasoningTokens: whole numbers of tokens, 0 or more'
      : null;
  return {
    usage,
    model: text(model) || null,
    quota: quota ? quotaOf(fields(quota)) : null,
    problem,
  };
}

/** Reads the report of a session; one that cannot be read counts as none. Never rejects. */
export async function commandReport(sessionDir: string): Promise<CommandReport> {
  try {
    // No link is followed, and nothing that is no file is waited for.
    const file = await open(
      join(sessionDir, REPORT_FILE),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES)
        return { ...NOTHING, problem: `it has ${size} bytes, at most ${MAX_BYTES} are read` };
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      return reportOf(fields(JSON.parse(buffer.toString('utf8', 0, bytesRead))));
    } finally {
      await file.close();
    }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? NOTHING : { ...NOTHING, problem: messageOf(error) };
  }
}
