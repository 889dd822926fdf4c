import { COMMIT_PLACES, type CommitPlace } from '../../../base/settings/commitPlaces.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { DECISION_MODES } from '../settings/decisionModes.ts';
import { readHomeVariable } from './paths.ts';

/** The environment of a process, or a test's own. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface FromEnvironment {
  value: string;
  variable: string;
}

/**
 * What the environment says. This file and readHomeVariable.ts alone know the names of svc's own
 * variables; those of the network are in src/base/system/network. An empty variable counts as unset.
 */
export interface Environment {
  /** SVC_HOME: folder of config, state and token; null = `~/.svc`. */
  home: string | null;
  /** SVC_URL: the runner that the command line talks to; null = the one of this home. */
  url: string | null;
  /**
   * SVC_TOKEN: token for SVC_URL or --url where they name another machine's runner; null =
   * runner.token of this home.
   */
  token: string | null;
  /** COMPLETION_GATE_MAX_RETRIES; null = the default. */
  gateBlocks: number | null;
  /**
   * What holds where the config file leaves these keys of the decision layer out or empty, by key.
   */
  decision: Readonly<Record<string, FromEnvironment>>;
  /** Values of SVC_TOKEN, SVC_DECISION_API_KEY, LEGACY_API_KEY and SVC_BUNDLE_KEY. */
  secrets: readonly string[];
  /**
   * SVC_FAULT_POINT and SVC_FAULT_COUNT: where the runner kills itself in a test of crashes; null =
   * neither is set.
   */
  faults: { dieAt: string | null; countFile: string | null } | null;
  /** SVC_COMMITS: where commits are written; default auto. */
  commits: CommitPlace;
  /** What decides whether `svc start` opens a browser. */
  browser: { ci: boolean; ssh: boolean; display: boolean; suppressed: boolean };
}

/**
 * Longest accepted COMPLETION_GATE_MAX_RETRIES: a job that is blocked this often will not finish by
 * being asked again.
 */
const MOST_GATE_BLOCKS = 1000;

const readVariable = (env: Env, name: string): string | null => env[name]?.trim() || null;

const readGateBlocks = (env: Env): number | null => {
  const retries = readVariable(env, 'COMPLETION_GATE_MAX_RETRIES');
  if (retries === null) return null;
  const count = /^\d{1,6}$/.test(retries) ? Number(retries) : 0;
  if (count >= 1 && count <= MOST_GATE_BLOCKS) return count;
  throw new SvcError(
    'bad-argument',
    `The environment variable COMPLETION_GATE_MAX_RETRIES is "${retries}", but must be a whole number from 1 to ${MOST_GATE_BLOCKS}. Unset it for the default of 5.`,
  );
};

function readFaultPoint(env: Env): Environment['faults'] {
  const dieAt = readVariable(env, 'SVC_FAULT_POINT');
  const countFile = readVariable(env, 'SVC_FAULT_COUNT');
  if (dieAt !== null && !/^(\d{1,9}|[^\s#]+#\d{1,9})$/.test(dieAt)) {
    throw new SvcError(
      'bad-argument',
      `The environment variable SVC_FAULT_POINT is "${dieAt}", but must be the number of a point, such as 17, or its name, such as effect:session.open:before#2.`,
    );
  }
  return dieAt === null && countFile === null ? null : { dieAt, countFile };
}

function readCommitPlace(env: Env): CommitPlace {
  const value = readVariable(env, 'SVC_COMMITS') ?? 'auto';
  const place = COMMIT_PLACES.find((candidate) => candidate === value);
  if (place !== undefined) return place;
  throw new SvcError(
    'bad-argument',
    `The environment variable SVC_COMMITS is "${value}", but must be one of ${COMMIT_PLACES.join(', ')}. Unset it for the default, auto.`,
  );
}

/**
 * Variables that override keys of the configuration; of two for one key the later one counts.
 */
export const DECISION_VARIABLES: readonly (readonly [key: string, variable: string])[] = [
  ['decision.mode', 'SVC_DECISION_MODE'],
  ['decision.apiKey', 'LEGACY_API_KEY'],
  // After the older name, which it replaces.
  ['decision.apiKey', 'SVC_DECISION_API_KEY'],
  ['decision.baseUrl', 'SVC_DECISION_BASE_URL'],
  ['decision.model', 'SVC_DECISION_MODEL'],
];

function readDecisionVariables(env: Env): Environment['decision'] {
  const givenVariables = DECISION_VARIABLES.flatMap(
    ([key, variable]): [string, FromEnvironment][] => {
      const value = readVariable(env, variable);
      return value === null ? [] : [[key, { value, variable }]];
    },
  );
  const variables = Object.fromEntries(givenVariables);
  const mode = variables['decision.mode']?.value;
  // The value is not repeated: it may be a key that was put into the wrong variable.
  if (mode !== undefined && !DECISION_MODES.some((candidate) => candidate === mode))
    throw new SvcError(
      'bad-argument',
      `The environment variable SVC_DECISION_MODE must be one of ${DECISION_MODES.join(', ')}.`,
    );
  return variables;
}

/** Throws SvcError `bad-argument` for a value that cannot be used. */
export function readEnvironment(env: Env): Environment {
  return {
    home: readHomeVariable(env),
    url: readVariable(env, 'SVC_URL'),
    token: readVariable(env, 'SVC_TOKEN'),
    gateBlocks: readGateBlocks(env),
    decision: readDecisionVariables(env),
    secrets: ['SVC_TOKEN', 'SVC_DECISION_API_KEY', 'LEGACY_API_KEY', 'SVC_BUNDLE_KEY'].flatMap(
      (name) => readVariable(env, name) ?? [],
    ),
    faults: readFaultPoint(env),
    commits: readCommitPlace(env),
    browser: {
      ci: readVariable(env, 'CI')?.toLowerCase() === 'true',
      ssh: readVariable(env, 'SSH_CONNECTION') !== null,
      display:
        readVariable(env, 'DISPLAY') !== null || readVariable(env, 'WAYLAND_DISPLAY') !== null,
      suppressed: readVariable(env, 'SVC_NO_OPEN') === '1',
    },
  };
}
