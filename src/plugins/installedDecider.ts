import type { DecidesQuestions } from '../contract/policy/decider.ts';
import type { DecisionReply } from '../contract/schema/policy/decision.ts';
import { KeptProcess, type KeptProcessOptions } from './process/keptProcess.ts';

/** Longest answer to a question, ms: callers wait for less, and a plugin that hangs is ended. */
const CALL_MS = 30_000;
/**
 * How long its process is kept without questions, ms: there can be a long time between two phases.
 */
const IDLE_MS = 600_000;

export interface OpenInstalledDecider extends DecidesQuestions {
  stop(): Promise<void>;
}

/**
 * Asks the plugin in a process that is kept, since a start would take much of a question's time.
 */
export function openInstalledDecider(
  options: Omit<KeptProcessOptions, 'answerMs' | 'idleMs'>,
): OpenInstalledDecider {
  const process = new KeptProcess({ ...options, answerMs: CALL_MS, idleMs: IDLE_MS });
  return {
    async decide(question, signal) {
      const abortedCall = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('It was not waited for.')), {
          once: true,
        });
      });
      signal.throwIfAborted();
      const reply = await Promise.race([
        process.call({ method: 'decide', args: [question] }),
        abortedCall,
      ]);
      return reply as DecisionReply;
    },
    stop: () => process.stop(),
  };
}
