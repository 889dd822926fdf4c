import { endOpenCalls } from '../process/endOpenCalls.ts';
import type { SessionOutput } from '../process/sessionOutput.ts';
import {
  type Fields,
  toFields,
  toListOrEmpty,
  toStringOrEmpty,
} from '../../base/json/untrusted.ts';
import { isBare, readRefusedTool, formatAcpCallDetail, resolveToolName } from './toolNames.ts';

/** Updates that belong to the model's answer; others report modes, commands and limits. */
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
    .find((text) => text !== '') ?? '';

/** Exit code of a finished command if the agent reports it; 0 for everything else. */
const readCommandExitCode = ({ rawOutput }: Fields): number => {
  const { exit, exitCode, exit_code } = {
    ...toFields(rawOutput),
    ...toFields(toFields(rawOutput).metadata),
  };
  return Number([exit, exitCode, exit_code].find((code) => typeof code === 'number') ?? 0);
};

export class Updates {
  readonly #output: SessionOutput;
  readonly #servers: readonly string[];
  /** Names of the calls that are not over, by id. */
  readonly #calls = new Map<string, string>();
  /** Ids of calls that the agent could not carry out. */
  readonly #refused = new Set<string>();
  /** Calls that the agent has announced but not described yet. */
  readonly #begun = new Map<string, Fields>();

  constructor(output: SessionOutput, servers: readonly string[]) {
    this.#output = output;
    this.#servers = servers;
  }

  take(update: Fields): void {
    if (update.sessionUpdate === 'agent_message_chunk')
      this.#output.pushToken(toStringOrEmpty(toFields(update.content).text));
    else if (update.sessionUpdate === 'agent_thought_chunk')
      this.#output.pushThinking(toStringOrEmpty(toFields(update.content).text));
    else if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
      this.#call(update);
  }

  /** Ends the calls of the turn, whether or not the agent reports their end. */
  endOfTurn(): void {
    this.#output.endOfMessage();
    endOpenCalls(this.#output, this.#calls);
    this.#begun.clear();
  }

  #call(update: Fields): void {
    const id = toStringOrEmpty(update.toolCallId);
    if (id === '') return;
    const seenStatus = this.#calls.get(id);
    const startedCall = this.#begun.get(id);
    // The call is over, or was never begun.
    if (
      update.sessionUpdate === 'tool_call_update' &&
      seenStatus === undefined &&
      startedCall === undefined &&
      toStringOrEmpty(update.title) === ''
    )
      return;
    const call = { ...startedCall, ...dropEmptyMembers(update) };
    if (seenStatus === undefined) {
      // The arguments follow a moment later.
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
    const refusedTool = readRefusedTool(call);
    if (refusedTool !== null) this.#refused.add(id);
    const name = refusedTool ?? resolveToolName(call, this.#servers);
    this.#begun.delete(id);
    this.#calls.set(id, name);
    this.#output.endOfMessage();
    const detail = formatAcpCallDetail(call);
    this.#output.tool({ at: 'start', id, name, ok: true, detail }, call.rawInput ?? detail);
  }
}

/** Drops the empty members, which leave earlier values unchanged. */
const dropEmptyMembers = (update: Fields): Fields =>
  Object.fromEntries(
    Object.entries(update).filter(([, value]) => value !== null && value !== undefined),
  );
