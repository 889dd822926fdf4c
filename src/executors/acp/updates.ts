import type { SessionOutput } from '../process/sessionOutput.ts';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../shared/json/untrusted.ts';
import { isBare, readRefusedTool, formatAcpCallDetail, resolveToolName } from './toolNames.ts';

/** Updates that come of the model's answer; others tell of modes, commands and limits. */
const ANSWERS = [
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
];

/** Whether the model has begun its answer. */
export const isAnswerUpdate = ({ sessionUpdate }: Fields): boolean =>
  ANSWERS.includes(toStringOrEmpty(sessionUpdate));

/** Text of the first content of a finished call that has one. */
const readCallOutcome = (update: Fields): string =>
  toListOrEmpty(update.content)
    .map((part) => toStringOrEmpty(toFields(toFields(part).content).text))
    .find((said) => said !== '') ?? '';

/** Exit code of a finished command where the agent tells it; 0 for everything else. */
const readCommandExitCode = ({ rawOutput }: Fields): number => {
  const { exit, exitCode, exit_code } = {
    ...toFields(rawOutput),
    ...toFields(toFields(rawOutput).metadata),
  };
  return Number([exit, exitCode, exit_code].find((code) => typeof code === 'number') ?? 0);
};

/** Turns the updates of one agent session into events. */
export class Updates {
  readonly #output: SessionOutput;
  readonly #servers: readonly string[];
  /** Names of the calls that are not over, by id. */
  readonly #calls = new Map<string, string>();
  /** Ids of calls that the agent could not carry out. */
  readonly #refused = new Set<string>();
  /** Calls that the agent has announced and not yet described. */
  readonly #begun = new Map<string, Fields>();

  constructor(output: SessionOutput, servers: readonly string[]) {
    this.#output = output;
    this.#servers = servers;
  }

  take(update: Fields): void {
    if (update.sessionUpdate === 'agent_message_chunk')
      this.#output.token(toStringOrEmpty(toFields(update.content).text));
    else if (update.sessionUpdate === 'agent_thought_chunk')
      this.#output.thinking(toStringOrEmpty(toFields(update.content).text));
    else if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
      this.#call(update);
  }

  /** The turn is over, and so are its calls, whether or not the agent reports it. */
  endOfTurn(): void {
    this.#output.endOfMessage();
    for (const [id, name] of this.#calls)
      this.#output.tool({
        at: 'end',
        id,
        name,
        ok: false,
        detail: 'The turn ended before this call finished.',
      });
    this.#calls.clear();
    this.#begun.clear();
  }

  #call(update: Fields): void {
    const id = toStringOrEmpty(update.toolCallId);
    if (id === '') return;
    const seen = this.#calls.get(id);
    const begun = this.#begun.get(id);
    // An update of a call that is over, or that was never begun.
    if (
      update.sessionUpdate === 'tool_call_update' &&
      seen === undefined &&
      begun === undefined &&
      toStringOrEmpty(update.title) === ''
    )
      return;
    const call = { ...begun, ...dropEmptyMembers(update) };
    if (seen === undefined) {
      // What it is called with comes a moment later.
      if (isBare(call)) return void this.#begun.set(id, call);
      this.#start(id, call);
    }
    if (update.status !== 'completed' && update.status !== 'failed') return;
    const name = this.#calls.get(id) ?? 'tool';
    this.#calls.delete(id);
    this.#output.tool({
      at: 'end',
      id,
      name,
      ok:
        update.status === 'completed' &&
        readCommandExitCode(update) === 0 &&
        !this.#refused.has(id),
      detail: readCallOutcome(update),
    });
  }

  #start(id: string, call: Fields): void {
    const refused = readRefusedTool(call);
    if (refused !== null) this.#refused.add(id);
    const name = refused ?? resolveToolName(call, this.#servers);
    this.#begun.delete(id);
    this.#calls.set(id, name);
    this.#output.endOfMessage();
    const detail = formatAcpCallDetail(call);
    this.#output.tool({ at: 'start', id, name, ok: true, detail }, call.rawInput ?? detail);
  }
}

/** Without the members that an update leaves as they are. */
const dropEmptyMembers = (update: Fields): Fields =>
  Object.fromEntries(
    Object.entries(update).filter(([, value]) => value !== null && value !== undefined),
  );
