import { Check } from 'typebox/value';
import Type from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { CreatedJob } from '../../../contract/schema/api/bodies.ts';
import type { RunnerReply } from '../../runners/runnerDirectory.ts';

/** Longest answer to a dispatch that is read, bytes. */
const MAX_ANSWER_BYTES = 512 * 1024;
const MAX_DETAIL_CHARS = 2_000;
const MOST_ERRORS = 50;

/** Statuses from 400 to 499 after which the same request can succeed, or may have made the job. */
const REPEATED: ReadonlySet<number> = new Set([408, 421, 425, 429]);

const CreationAnswer = Type.Object({
  ...CreatedJob.properties,
  jobId: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,127}$' }),
});

const Refusal = Type.Object({
  code: Type.String({ maxLength: 64 }),
  detail: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
  ),
  running: Type.Optional(Type.Boolean()),
});

export type Answer =
  | { kind: 'made'; job: CreatedJob }
  /** The job was not made, and is not being made. */
  | {
      kind: 'refused';
      status: number;
      code: string;
      detail: string;
      errors: { pointer: string; message: string }[];
    }
  /** Whether the job exists is not known: the same home is asked again. */
  | { kind: 'unknown' };

const UNKNOWN: Answer = { kind: 'unknown' };

async function readText({ body }: RunnerReply): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Only what the API says of a created job; the runner's bytes are not passed on. */
const toCreatedJob = (sentReply: Type.Static<typeof CreationAnswer>): CreatedJob =>
  Object.fromEntries(
    Object.keys(CreatedJob.properties).flatMap((name) => {
      const value = Reflect.get(sentReply, name);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as CreatedJob;

/** What a runner's answer to `POST /jobs` means for the dispatch. Rejects when it breaks off. */
export async function readAnswer(reply: RunnerReply): Promise<Answer> {
  const { status } = reply;
  const text = await readText(reply);
  const value = text === null ? null : parseJsonOrNull(text);
  if (status === 200 || status === 201)
    return Check(CreationAnswer, value) ? { kind: 'made', job: toCreatedJob(value) } : UNKNOWN;
  if (status < 400 || status >= 500 || REPEATED.has(status)) return UNKNOWN;
  if (!Check(Refusal, value)) return UNKNOWN;
  // The first request with this key is still being answered.
  if (value.running === true) return UNKNOWN;
  return {
    kind: 'refused',
    status,
    code: value.code,
    detail: value.detail.slice(0, MAX_DETAIL_CHARS),
    errors: (value.errors ?? [])
      .slice(0, MOST_ERRORS)
      .map(({ pointer, message }) => ({ pointer, message })),
  };
}

/** The code of a refusal, as this version knows it. */
export const toKnownCode = (code: string): ErrorCode =>
  Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'cannot-run';
