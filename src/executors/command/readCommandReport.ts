import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/errors/errors.ts';
import {
  MAX_SESSION_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { type Fields, toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { QUOTA_KINDS, type QuotaHit } from '../../base/agents/quotaKinds.ts';
import { toEpochMs } from '../process/quota/times.ts';

/** File in the session's folder for what the exit code of a program cannot say. */
export const REPORT_FILE = 'report.json';
const MAX_BYTES = 16_384;

export interface CommandReport {
  counts: TokenCounts | null;
  /** Model that was used; null = unknown. */
  model: string | null;
  /** The limit of its model that ended the program; null = none. */
  quota: QuotaHit | null;
  problem: string | null;
}

const NOTHING: CommandReport = { counts: null, model: null, quota: null, problem: null };

/** Both members are required; parts of them may be left out. */
function parseUsage(value: unknown): TokenCounts {
  const { inputTokens, outputTokens, ...parts } = toFields(value);
  const counts = parseTokenCounts(
    { ...parts, inputTokens, outputTokens },
    { most: MAX_SESSION_TOKENS },
  );
  const lacks = inputTokens === undefined || outputTokens === undefined;
  return lacks && counts.problem === null
    ? { ...counts, problem: 'inputTokens or outputTokens is missing' }
    : counts;
}

/**
 * `{ "kind": "exhausted", "window": "5 hours", "resetsAt": 1763800000 }`; all members may be left
 * out.
 */
const readQuotaHit = ({ kind, window, resetsAt }: Fields): QuotaHit => ({
  kind: QUOTA_KINDS.find((quotaKind) => quotaKind === kind) ?? 'exhausted',
  window: toStringOrEmpty(window) || null,
  resetsAt: toEpochMs(resetsAt),
});

function parseCommandReport({ usage: reportedUsage, model, quota }: Fields): CommandReport {
  const counts = reportedUsage === undefined ? null : parseUsage(reportedUsage);
  const problem =
    counts === null || counts.problem === null
      ? null
      : `usage needs inputTokens and outputTokens, and may have cachedInputTokens, cacheWriteTokens, cacheWrite1hTokens and reasoningTokens: whole numbers of tokens, 0 or more, at most ${MAX_SESSION_TOKENS} together. Ignored: ${counts.problem}. What is missing is estimated from the characters`;
  return {
    counts,
    model: toStringOrEmpty(model) || null,
    quota: quota ? readQuotaHit(toFields(quota)) : null,
    problem,
  };
}

/** Reads the report of a session; an unreadable one counts as none. Never rejects. */
export async function readCommandReport(sessionDir: string): Promise<CommandReport> {
  try {
    // Follows no link and waits for nothing that is not a file.
    const file = await open(
      join(sessionDir, REPORT_FILE),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES)
        return { ...NOTHING, problem: `it has ${size} bytes, at most ${MAX_BYTES} are read` };
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      const report: unknown = JSON.parse(buffer.toString('utf8', 0, bytesRead));
      if (typeof report !== 'object' || report === null || Array.isArray(report))
        return { ...NOTHING, problem: 'it is not a JSON object' };
      return parseCommandReport(toFields(report));
    } finally {
      await file.close();
    }
  } catch (error) {
    const isMissing = isMissingFile(error);
    return isMissing ? NOTHING : { ...NOTHING, problem: toErrorMessage(error) };
  }
}
