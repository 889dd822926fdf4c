import { messageOf, SvcError } from '../lib/errors.ts';
import type { JobPort } from '../schema/jobPort.ts';
import { CallKeys } from './callKeys.ts';
import { toolsOf } from './catalogue.ts';
import { type Tool, type ToolAnswer, type ToolCall, ToolRefusal } from './tool.ts';

export const PHASE_OVER = 'This phase is over; end your turn.';

const failed = (text: string): ToolAnswer => ({ text, data: {}, failed: true });

/** Runs the tools of one session: numbers the calls, turns whatever goes wrong into an answer that the agent can use. */
export class PhaseTools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly #port: JobPort;
  readonly #keys: CallKeys;
  readonly #onError: (where: string, error: unknown) => void;
  readonly #over: Promise<ToolAnswer>;
  readonly #close: () => void;
  #closed = false;

  constructor(port: JobPort, forges: readonly string[], onError: (where: string, error: unknown) => void) {
    this.tools = toolsOf(forges);
    this.#port = port;
    this.#keys = new CallKeys(port.visit, port.session);
    this.#onError = onError;
    let over: (answer: ToolAnswer) => void = () => {};
    this.#over = new Promise((resolve) => {
      over = resolve;
    });
    this.#close = () => over(failed(PHASE_OVER));
  }

  /** Calls that still run are answered with the phase's end; what they have asked of the job goes on or is refused there. */
  close(): void {
    this.#closed = true;
    this.#close();
  }

  /** Never rejects. */
  async call(name: string, args: unknown): Promise<ToolAnswer> {
    if (this.#closed) return failed(PHASE_OVER);
    const tool = this.tools.get(name);
    if (!tool) return failed(`There is no tool "${name}". The tools are: ${[...this.tools.keys()].join(', ')}.`);
    return Promise.race([this.#run(tool, args), this.#over]);
  }

  async #run(tool: Tool, args: unknown): Promise<ToolAnswer> {
    const numbered = tool.hints.readOnlyHint ? null : this.#keys.next(tool.name, args);
    const port = this.#port;
    const key = numbered?.key ?? '';
    const call: ToolCall = {
      port,
      key,
      async send(event) {
        const receipt = await port.send(event, key);
        if (!receipt.ok) throw new ToolRefusal(receipt.message);
        return { duplicate: receipt.duplicate };
      },
    };
    try {
      return await tool.run(args, call);
    } catch (error) {
      numbered?.release();
      return failed(this.#explain(tool.name, error));
    }
  }

  #explain(tool: string, error: unknown): string {
    if (error instanceof ToolRefusal) return messageOf(error);
    if (error instanceof SvcError && error.status < 500) return `${tool}: ${error.message}`;
    // The text of an unexpected error may hold paths or worse: it is for the runner's log alone.
    this.#onError(`tool ${tool} of ${this.#port.jobId}`, error);
    if (error instanceof SvcError && error.code === 'stopping') return `${tool}: the runner is stopping; end your turn.`;
    return `${tool}: the runner made a mistake and cannot say whether this was done. Try once more; if it happens again, use escalate.`;
  }
}
