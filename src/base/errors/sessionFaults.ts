/**
 * What becomes of a job whose session has ended with an error. `fail`: it ends. `outage`: it waits
 * and tries again by itself, because svc sees without a person that the cause is gone; with `person`
 * a person has to repair something meanwhile. `developer`: it waits until a person continues it.
 */
interface AfterFault {
  leads: 'fail' | 'outage' | 'developer';
  person: boolean;
  /** It may say something about the account of the model: other jobs would meet the same. */
  ofAccount: boolean;
}

/**
 * Where the error of a session comes from: fault → what becomes of its job. A new fault has to be
 * given an answer here, and one that fails jobs a row in the documentation of the ways to fail.
 */
export const SESSION_FAULTS = {
  /** The program that the agent is has run, and has ended with an exit code of its own. */
  'own-exit': { leads: 'fail', person: false, ofAccount: true },
  /**
   * Such a program has ended after its last call of a tool was refused, for a reason that a person
   * can remove at the forge or tracker or in the configuration.
   */
  'call-refused': { leads: 'developer', person: true, ofAccount: false },
  /** The same after a forge or tracker did not answer, or takes no more requests for a while. */
  'call-unanswered': { leads: 'outage', person: false, ofAccount: false },
  /** The program is gone, may not be executed, or its interpreter is missing. */
  'not-started': { leads: 'outage', person: true, ofAccount: true },
  /** This machine lacks the executor or the forge of the phase, or a layer of its overlay. */
  'not-here': { leads: 'outage', person: true, ofAccount: false },
  /** The endpoint of the model does not answer. */
  unreachable: { leads: 'outage', person: false, ofAccount: true },
  /** Output or files could not be written, as on a disk that is full or in a repository that is locked. */
  'not-written': { leads: 'outage', person: true, ofAccount: false },
  /** The endpoint has refused the account, such as its key, or the agent a setting of svc's. */
  refused: { leads: 'developer', person: true, ofAccount: true },
  /** The endpoint has refused this one request: a conversation that is too long, a tool, a model. */
  'request-refused': { leads: 'developer', person: true, ofAccount: false },
  /** A tool server whose tools the phase lists does not answer. */
  'server-away': { leads: 'outage', person: false, ofAccount: false },
  /** The program of such a tool server cannot be started, or ends. */
  'server-not-started': { leads: 'outage', person: true, ofAccount: false },
  /** Such a tool server refuses the login, is not declared, or lacks a variable. */
  'server-refused': { leads: 'developer', person: true, ofAccount: false },
  /** Everything else, such as an answer that breaks a protocol. */
  unknown: { leads: 'developer', person: true, ofAccount: true },
} as const satisfies Readonly<Record<string, AfterFault>>;

export type SessionFault = keyof typeof SESSION_FAULTS;

export const isSessionFault = (value: unknown): value is SessionFault =>
  typeof value === 'string' && Object.hasOwn(SESSION_FAULTS, value);
