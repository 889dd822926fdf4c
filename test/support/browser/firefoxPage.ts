import { PATIENCE_MS } from '../inTime.ts';
import type { BiDiConnection } from './biDiConnection.ts';

/** Keys that are no characters, as WebDriver writes them. */
const KEYS: Readonly<Record<string, string>> = { Enter: '\uE007', Control: '\uE009' };

interface LogEntry {
  type: string;
  level: string;
  text: string;
  source: { context?: string };
}

/**
 * In the page: resolves with true as soon as it shows a text and an element, either of them null
 * for any; with false after `patience` ms.
 */
const WAIT = `(text, selector, patience) => new Promise((resolve) => {
  const isShown = () =>
    (text === null || document.body.innerText.includes(text)) &&
    (selector === null || [...document.querySelectorAll(selector)].some((one) => one.checkVisibility()));
  if (isShown()) return resolve(true);
  const end = (value) => { observer.disconnect(); clearTimeout(timer); resolve(value); };
  const timer = setTimeout(() => end(isShown()), patience);
  const observer = new MutationObserver(() => { if (isShown()) end(true); });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
})`;

const toArgument = (value: string | number | null) =>
  value === null ? { type: 'null' } : { type: typeof value, value };

export class FirefoxPage {
  readonly #connection: BiDiConnection;
  readonly #context: string;

  private constructor(connection: BiDiConnection, context: string) {
    this.#connection = connection;
    this.#context = context;
  }

  /** An empty page; `problems` gets errors of its scripts and of its console. */
  static async open(connection: BiDiConnection, problems: string[]): Promise<FirefoxPage> {
    const { context } = (await connection.send('browsingContext.create', { type: 'tab' })) as {
      context: string;
    };
    connection.onEvent((method, params) => {
      const { type, level, text, source } = params as LogEntry;
      if (method === 'log.entryAdded' && source.context === context && level === 'error')
        problems.push(`${type}: ${text}`);
    });
    await connection.send('session.subscribe', { events: ['log.entryAdded'], contexts: [context] });
    const viewport = { width: 1440, height: 900 };
    await connection.send('browsingContext.setViewport', { context, viewport });
    return new FirefoxPage(connection, context);
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' });
  }

  waitForText(text: string): Promise<void> {
    return this.#wait(text, null);
  }

  waitForElement(selector: string): Promise<void> {
    return this.#wait(null, selector);
  }

  /** Presses keys, each after the one before; `Control+Enter` holds the first. */
  press(...keys: readonly string[]): Promise<void> {
    return this.#strike(keys.map((key) => key.split('+').map((name) => KEYS[name] ?? name)));
  }

  type(text: string): Promise<void> {
    return this.#strike([...text].map((character) => [character]));
  }

  async close(): Promise<void> {
    await this.#send('browsingContext.close', {});
  }

  #send(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#connection.send(method, { context: this.#context, ...params });
  }

  /** Strokes of keys that are held together. */
  async #strike(strokes: readonly (readonly string[])[]): Promise<void> {
    const actions = strokes.flatMap((keys) => [
      ...keys.map((value) => ({ type: 'keyDown', value })),
      ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
    await this.#send('input.performActions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  async #wait(text: string | null, selector: string | null): Promise<void> {
    const { result } = (await this.#connection.send('script.callFunction', {
      functionDeclaration: WAIT,
      arguments: [text, selector, PATIENCE_MS].map(toArgument),
      target: { context: this.#context },
      awaitPromise: true,
    })) as { result?: { value?: unknown } };
    if (result?.value !== true) throw new Error(`the page does not show ${text ?? selector}`);
  }
}
