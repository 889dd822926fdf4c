import type { SessionEvent } from '../../contract/session/executor.ts';

export interface SessionLine {
  from: 'agent' | 'runner';
  tag: string | null;
  line: string;
}

/**
 * Length at which an unfinished line is kept, characters: text without a line end must not wait
 * forever.
 */
const MAX_LINE_CHARS = 2_000;

/** Turns session events into log lines: an agent's text arrives in parts that end anywhere. */
export class AgentLines {
  #kind: 'token' | 'thinking' = 'token';
  #part = '';

  takeLines(event: SessionEvent): SessionLine[] {
    if (event.type === 'token' || event.type === 'thinking')
      return this.#appendText(event.type, event.text);
    const before = this.rest();
    if (event.type === 'log') {
      const control = event.stream === 'control';
      return [
        ...before,
        { from: control ? 'runner' : 'agent', tag: control ? 'control' : null, line: event.line },
      ];
    }
    if (event.type !== 'tool') return before;
    const outcome = event.at === 'start' ? '' : event.ok ? ' done' : ' failed';
    const line = [`${event.name}${outcome}`, event.detail].filter(Boolean).join(': ');
    return [...before, { from: 'agent', tag: 'tool', line }];
  }

  /** Output without a line end; empty = none. */
  rest(): SessionLine[] {
    const part = this.#part;
    this.#part = '';
    return part.trim() === '' ? [] : [this.#line(part)];
  }

  #appendText(kind: 'token' | 'thinking', text: string): SessionLine[] {
    const before = kind === this.#kind ? [] : this.rest();
    this.#kind = kind;
    const lines = `${this.#part}${text}`.split('\n');
    this.#part = lines.pop() ?? '';
    const whole = lines.filter((line) => line.trim() !== '').map((line) => this.#line(line));
    return [...before, ...whole, ...(this.#part.length > MAX_LINE_CHARS ? this.rest() : [])];
  }

  #line(text: string): SessionLine {
    return {
      from: 'agent',
      tag: this.#kind === 'thinking' ? 'thinking' : null,
      line: text.trimEnd(),
    };
  }
}
