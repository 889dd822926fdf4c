import { digestSha256, type Ids } from '../../base/system/ids/ids.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeepSecrets, VendorLogins } from '../../contract/runner/plugins.ts';
import type { LoginStep, VendorLogin, LoginSecrets } from '../../contract/runner/vendorLogin.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { screenSecretForms } from '../../base/secrets/secretForms.ts';
import type {
  VendorLoginCallback,
  VendorLoginReply,
  VendorLoginView,
  WrittenSecrets,
} from '../../contract/schema/runner/vendorLogin.ts';

/** Longest secret of a login, characters; the limit of a setting. */
const MAX_SECRET_CHARS = 8_192;

/**
 * Checks that the secrets of a login fit the secret settings of the plugin. Throws SvcError
 * `invalid` that quotes no value.
 */
function checkLoginSecrets(
  executor: string,
  answer: unknown,
  settings: readonly string[],
): LoginSecrets {
  const entries = typeof answer === 'object' && answer !== null ? Object.entries(answer) : [];
  const lie = (what: string): SvcError =>
    new SvcError('invalid', `${executor}: its login ${what}. Nothing was stored.`);
  if (entries.length === 0) throw lie('got no secret');
  for (const [name, value] of entries) {
    if (!settings.includes(name))
      throw lie(`got "${name}", which is not one of its secret settings`);
    if (typeof value !== 'string' || value === '' || value.length > MAX_SECRET_CHARS)
      throw lie(
        `got a value of "${name}" that is not a text of 1 to ${MAX_SECRET_CHARS} characters`,
      );
  }
  return Object.fromEntries(entries) as LoginSecrets;
}

/** The challenge of a verifier by method S256 (RFC 7636, 4.2). */
export const computePkceChallenge = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');

/** How long a login waits for its person, ms. */
export const LOGIN_MS = 10 * 60_000;
/** Longest text of a vendor that is passed on, characters. */
const MAX_SAID = 500;

interface VendorLoginsOptions {
  clock: Clock;
  ids: Ids;
  /** Throws SvcError for an executor without login, or one that cannot be used. */
  login(executor: string): VendorLogin;
  secretSettings(executor: string): readonly string[];
  /** Removes the known secrets of an executor from a text. */
  screen(executor: string, text: string): string;
}

interface OpenLogin {
  session: string;
  state: string;
  verifier: string;
  redirectUri: string;
  step: LoginStep;
  expiresAt: number;
  isBusy: boolean;
  polledAt: number;
}

type EndedLogin = Pick<VendorLoginView, 'phase' | 'detail' | 'kind' | 'expiresAt'> & {
  session: string;
};

const AGAIN = 'Begin again.';

const isSameLoginText = (a: string, b: string): boolean =>
  timingSafeEqual(digestSha256(a), digestSha256(b));

/**
 * Logins of executors at their vendors, at most one per executor. Verifier and state are never
 * stored: a restart of the runner ends every login, and earlier secrets stay.
 */
export class RunningLogins implements VendorLogins {
  readonly #options: VendorLoginsOptions;
  readonly #open = new Map<string, OpenLogin>();
  /** Executors whose vendor is being asked to start a login. */
  readonly #starting = new Set<string>();
  readonly #ended = new Map<string, EndedLogin>();

  constructor(options: VendorLoginsOptions) {
    this.#options = options;
  }

  status(session: string, executor?: string): VendorLoginView[] {
    for (const id of [...this.#open.keys()]) this.#expire(id);
    return [...new Set([...this.#open.keys(), ...this.#ended.keys()])]
      .filter((id) => executor === undefined || id === executor)
      .map((id) => this.#view(id, session));
  }

  async start(executor: string, session: string, redirectUri: string): Promise<VendorLoginView> {
    const { clock, ids, login } = this.#options;
    const vendor = login(executor);
    this.#expire(executor);
    if (this.#open.has(executor) || this.#starting.has(executor))
      throw new SvcError(
        'conflict',
        `A login of ${executor} is in progress. Complete it, or cancel it: DELETE /config/vendor/login?executor=${executor}.`,
      );
    const state = ids.secret();
    const verifier = ids.secret();
    this.#starting.add(executor);
    try {
      const codeChallenge = computePkceChallenge(verifier);
      const begin = { state, codeChallenge, codeChallengeMethod: 'S256', redirectUri } as const;
      const step = parseLoginStep(executor, await vendor.start(begin));
      this.#open.set(executor, {
        session,
        state,
        verifier,
        redirectUri,
        step,
        expiresAt: clock.now() + LOGIN_MS,
        isBusy: false,
        polledAt: clock.now(),
      });
      this.#ended.delete(executor);
    } catch (error) {
      throw this.#toError(executor, error, [state, verifier]);
    } finally {
      this.#starting.delete(executor);
    }
    return this.#view(executor, session);
  }

  async callback(
    answer: VendorLoginCallback,
    session: string,
    keep: KeepSecrets,
  ): Promise<VendorLoginReply> {
    const { executor } = answer;
    const open = this.#ofSession(executor, session);
    if (!isSameLoginText(open.state, answer.state))
      throw new SvcError(
        'forbidden',
        `The state does not belong to the login of ${executor} that is in progress. ${AGAIN}`,
      );
    if (open.isBusy)
      throw new SvcError('not-possible-now', 'The code of this login is already in use.');
    if (answer.error !== undefined) {
      const words = `${answer.error} ${answer.errorDescription ?? ''}`.trim().slice(0, MAX_SAID);
      const why = `The vendor refused the login: ${words}.`;
      await this.#end(executor, 'failed', why);
      throw new SvcError('forbidden', `${why} ${AGAIN}`);
    }
    open.isBusy = true;
    const secret = 'deviceCode' in open.step ? [open.step.deviceCode] : [answer.code ?? ''];
    try {
      const loginAnswer = await this.#askVendor(executor, open, answer.code);
      const writtenSecrets = loginAnswer && (await this.#keep(executor, loginAnswer.secrets, keep));
      if (writtenSecrets) await this.#end(executor, 'done', '');
      open.isBusy = false;
      return { login: this.#view(executor, session), written: writtenSecrets };
    } catch (error) {
      const screenedError = this.#toError(executor, error, [open.state, open.verifier, ...secret]);
      await this.#end(executor, 'failed', screenedError.message);
      throw screenedError;
    }
  }

  async cancel(executor: string): Promise<void> {
    this.#expire(executor);
    if (!this.#open.has(executor))
      throw new SvcError('not-found', `No login of ${executor} is in progress.`);
    await this.#end(executor, 'cancelled', 'It was cancelled.');
  }

  async longLivedToken(executor: string, keep: KeepSecrets): Promise<WrittenSecrets> {
    const vendor = this.#options.login(executor);
    if (!vendor.longLivedToken)
      throw new SvcError('not-possible-now', `The vendor of ${executor} has no long-lived tokens.`);
    try {
      return await this.#keep(executor, await vendor.longLivedToken(), keep);
    } catch (error) {
      throw this.#toError(executor, error, []);
    }
  }

  /** What the vendor gives for the code; null = it still waits for the person. */
  async #askVendor(
    executor: string,
    open: OpenLogin,
    code: string | undefined,
  ): Promise<{ secrets: unknown } | null> {
    const { clock, login } = this.#options;
    const vendor = login(executor);
    const { state, verifier: codeVerifier, redirectUri, step } = open;
    if (step.kind !== 'device') {
      if (code === undefined)
        throw new SvcError('bad-argument', `The login of ${executor} needs the code. ${AGAIN}`);
      return { secrets: await vendor.complete({ code, state, codeVerifier, redirectUri }) };
    }
    const isEarly = clock.now() - open.polledAt < step.intervalMs;
    if (isEarly || !vendor.poll) return null;
    open.polledAt = clock.now();
    const secrets = await vendor.poll(step.deviceCode);
    return secrets && { secrets };
  }

  async #keep(executor: string, answer: unknown, keep: KeepSecrets): Promise<WrittenSecrets> {
    const secrets = checkLoginSecrets(executor, answer, this.#options.secretSettings(executor));
    const restart = [...(await keep(executor, secrets))];
    return { settings: Object.keys(secrets), restart };
  }

  /** The running login. Throws SvcError if none exists or it belongs to another session. */
  #ofSession(executor: string, session: string): OpenLogin {
    this.#expire(executor);
    const open = this.#open.get(executor);
    if (open === undefined)
      throw new SvcError(
        'not-possible-now',
        `No login of ${executor} is in progress: it has ended, or the runner was restarted. ${AGAIN}`,
      );
    if (open.session !== session)
      throw new SvcError(
        'forbidden',
        `The login of ${executor} was started in another session and can only be completed there.`,
      );
    return open;
  }

  #expire(executor: string): void {
    const open = this.#open.get(executor);
    if (open === undefined || open.isBusy || this.#options.clock.now() < open.expiresAt) return;
    void this.#end(
      executor,
      'expired',
      `It was not completed within ${LOGIN_MS / 60_000} minutes.`,
    );
  }

  async #end(executor: string, phase: VendorLoginView['phase'], detail: string): Promise<void> {
    const open = this.#open.get(executor);
    if (open === undefined) return;
    this.#open.delete(executor);
    const expiresAt = new Date(open.expiresAt).toISOString();
    const { session, step } = open;
    this.#ended.set(executor, { phase, detail, kind: step.kind, expiresAt, session });
    // The vendor keeps nothing of the login, and a program that cannot be ended changes nothing
    // here.
    const ending = async () => this.#options.login(executor).cancel?.();
    await ending().catch(() => undefined);
  }

  #view(executor: string, session: string): VendorLoginView {
    const open = this.#open.get(executor);
    const nothing = { url: null, command: null, userCode: null, state: null, intervalMs: null };
    if (open === undefined) {
      const { session: its, ...ended } = this.#ended.get(executor) as EndedLogin;
      return { executor, own: its === session, ...nothing, ...ended };
    }
    const { step } = open;
    const own = open.session === session;
    const device = step.kind === 'device' ? step : null;
    return {
      executor,
      own,
      phase: open.isBusy ? 'completing' : 'waiting',
      kind: step.kind,
      ...nothing,
      ...(own
        ? {
            url: step.kind === 'command' ? null : step.url,
            command: step.kind === 'command' ? step.command : null,
            state: open.state,
            userCode: device?.userCode ?? null,
            intervalMs: device?.intervalMs ?? null,
          }
        : {}),
      expiresAt: new Date(open.expiresAt).toISOString(),
      detail: '',
    };
  }

  #toError(executor: string, error: unknown, secrets: readonly string[]): SvcError {
    const text = screenSecretForms(secrets)(this.#options.screen(executor, toErrorMessage(error)));
    return new SvcError(error instanceof SvcError ? error.code : 'invalid', text);
  }
}

const isWebAddress = (url: unknown): boolean =>
  typeof url === 'string' &&
  url.length <= 4096 &&
  /^https?:\/\/\S+$/.test(url) &&
  URL.canParse(url);

/** Checks an executor's answer, since people follow its address. */
function parseLoginStep(executor: string, step: unknown): LoginStep {
  const { kind, url, command, userCode, deviceCode, intervalMs } = Object(step);
  if (kind === 'command' && typeof command === 'string' && /^[\x20-\x7E]{1,200}$/.test(command))
    return { kind, command };
  if (!isWebAddress(url) || (kind !== 'browser' && kind !== 'device'))
    throw new SvcError(
      'invalid',
      `${executor}: login.start() did not return { kind, url } with an address of the web, or { kind: 'command', command }.`,
    );
  if (kind === 'browser') return { kind, url };
  if (typeof userCode !== 'string' || typeof deviceCode !== 'string' || !(intervalMs >= 1000))
    throw new SvcError(
      'invalid',
      `${executor}: login.start() did not return userCode, deviceCode and an intervalMs of 1000 or more.`,
    );
  return { kind, url, userCode: userCode.slice(0, 100), deviceCode, intervalMs };
}
