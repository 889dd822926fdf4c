import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ansis } from 'ansis';
import { ClientError } from '../src/api/client/problem.ts';
import {
  ERROR_CODES,
  type ErrorCode,
  type FieldError,
  toErrorMessage,
  SvcError,
} from '../src/base/errors/errors.ts';
import { explainTemporaryFolderFault } from '../src/base/system/files/temporaryFolder.ts';
import { describeStates } from '../src/base/jobs/describeStates.ts';
import type { Diagnostic } from '../src/contract/schema/workflow/diagnostic.ts';
import type { ExitCode } from './exitCodes.ts';
import { formatLint } from './render/workflow/formatLint.ts';
import { toPrintable, toPrintableLine } from './render/text/toPrintable.ts';

/**
 * What went wrong, for a script (`problem`, `exitCode`) and for a person (`text`, lines that end in
 * a line feed).
 */
export interface Failure {
  exitCode: ExitCode | number;
  problem: { code: string; title: string; detail: string; [member: string]: unknown };
  text: string;
}

interface FailureProblem {
  code: string;
  title: string;
  detail: string;
  errors: readonly FieldError[];
  data: Readonly<Record<string, unknown>>;
}

const listSentCommands = (events: readonly unknown[]): string =>
  events
    .map(String)
    .filter((event) => event.startsWith('job.') || !event.includes('.'))
    .map((event) => event.replace(/^job\./, ''))
    .join(', ');

/** Whether `detail` already contains the error of this field. */
const isErrorInDetail = (
  { pointer, message }: FieldError,
  detail: string,
  count: number,
): boolean => detail.includes(`${pointer} ${message}`) || (count === 1 && detail.includes(message));

function toProblemFailure(problem: FailureProblem, exitCode: number): Failure {
  const { code, title, detail, errors, data } = problem;
  const lines = [`Error: ${toPrintable(detail || title)}`];
  for (const error of errors.filter((one) => !isErrorInDetail(one, detail, errors.length)))
    lines.push(`  ${toPrintableLine(error.pointer)}  ${toPrintableLine(error.message)}`);
  const state = Array.isArray(data.state) ? describeStates(data.state.map(String)) : '';
  const namesState = state !== '' && detail.includes(state);
  if (state !== '' && !namesState) lines.push(`  The job ${toPrintableLine(state)}.`);
  if (Array.isArray(data.accepts) && !namesState)
    lines.push(`  Possible now: ${toPrintableLine(listSentCommands(data.accepts)) || 'nothing'}`);
  return {
    exitCode,
    problem: { code, title, detail, ...(errors.length > 0 ? { errors } : {}), ...data },
    text: `${lines.join('\n')}\n`,
  };
}

const isSvcErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);

/** By name: the runner is a bundle with an SvcError class of its own. */
const isSvcError = (thrown: unknown): thrown is SvcError =>
  thrown instanceof Error &&
  thrown.name === 'SvcError' &&
  'code' in thrown &&
  isSvcErrorCode(String(thrown.code));

/** What the runner's linter found in a file; the runner may be a newer one. */
const isDiagnostic = (value: unknown): value is Diagnostic =>
  ['file', 'line', 'column', 'severity', 'code', 'message', 'hint'].every((member) =>
    Object.hasOwn(Object(value), member),
  );

/** Exit code where the runner answered with a code that this client does not know. */
const mapStatusToExitCode = (status: number): number => {
  if (status === 401 || status === 403) return 4;
  if (status === 404) return 3;
  return status >= 400 && status < 500 && status !== 409 ? 2 : 1;
};

/** The runner cannot know where this program looks for the token. */
const NO_TOKEN = '  svc commands send SVC_TOKEN, else runner.token of SVC_HOME (default ~/.svc).\n';

/** Members of a problem document that are not further data. */
const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'code', 'errors', 'instance'];

const isWithinTemporaryFolder = (thrown: unknown): boolean => {
  const { path } = Object(thrown);
  return typeof path === 'string' && (path === tmpdir() || path.startsWith(join(tmpdir(), '/')));
};

/** Describes what was thrown. The exit code never depends on `--json`. */
export function toFailure(thrown: unknown): Failure {
  if (isSvcError(thrown)) {
    const [, title, exitCode] = ERROR_CODES[thrown.code];
    return toProblemFailure(
      {
        code: thrown.code,
        title,
        detail: thrown.message,
        errors: thrown.errors,
        data: thrown.data,
      },
      exitCode,
    );
  }
  if (thrown instanceof ClientError) {
    const { status, code, problem } = thrown;
    const { title, detail, errors = [] } = problem;
    const data = Object.fromEntries(
      Object.entries(problem).filter(([name]) => !PROBLEM_MEMBERS.includes(name)),
    );
    const failure = toProblemFailure(
      { code, title, detail, errors, data },
      isSvcErrorCode(code) ? ERROR_CODES[code][2] : mapStatusToExitCode(status),
    );
    const findings = Array.isArray(data.diagnostics) ? data.diagnostics.filter(isDiagnostic) : [];
    return {
      ...failure,
      text:
        failure.text +
        (code === 'unauthorized' ? NO_TOKEN : '') +
        findings.map((one) => formatLint(one, { color: new Ansis(0) })).join(''),
    };
  }
  // How a command of oclif ends the program with an exit code.
  const { code, oclif } = Object(thrown);
  if (code === 'EEXIT' && Number.isInteger(oclif?.exit))
    return {
      exitCode: Number(oclif.exit),
      problem: { code: 'exit', title: '', detail: '' },
      text: '',
    };
  if (code === 'ENOSPC')
    return toProblemFailure(
      {
        code: 'store-failed',
        title: ERROR_CODES['store-failed'][1],
        detail: `The disk is full: ${toErrorMessage(thrown)}. Free some space and run the command again; no acknowledged change is lost.`,
        errors: [],
        data: {},
      },
      ERROR_CODES['store-failed'][2],
    );
  const temporary = isWithinTemporaryFolder(thrown) ? explainTemporaryFolderFault() : null;
  if (temporary !== null) return toFailure(new SvcError('bad-argument', temporary));
  return toProblemFailure(
    {
      code: 'internal',
      title: 'Internal error',
      detail: `Internal error in svc: ${toErrorMessage(thrown)}`,
      errors: [],
      data: {},
    },
    1,
  );
}
