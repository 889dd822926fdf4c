import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { isLoopbackAddress } from '../../base/http/isLoopbackAddress.ts';
import type { ChannelSettings } from '../../contract/schema/runner/notificationSettings.ts';
import { renderPlainText } from '../message/renderPlainText.ts';
import type { Channel, SendOutcome } from './channel.ts';

/** Longest wait for a connection, and for each answer of the server, ms. */
const SMTP_TIMEOUT_MS = 20_000;
const PORT_WITH_TLS = 465;
const PORT_WITH_STARTTLS = 587;
const MOST_SHOWN_CHARS = 200;

type EmailSettings = Pick<
  ChannelSettings,
  'host' | 'port' | 'secure' | 'user' | 'password' | 'from' | 'to'
>;

/** Mail by SMTP. A login and messages go only over TLS, except to this machine. */
export const createEmailChannel = (settings: EmailSettings): Channel => ({
  repeats: false,
  async send(message) {
    const { host = '', user, password = '', from, to } = settings;
    const secure = settings.secure ?? settings.port === PORT_WITH_TLS;
    let hasTextBegun = false;
    // A runner without mail does not load it.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host,
      port: settings.port ?? (secure ? PORT_WITH_TLS : PORT_WITH_STARTTLS),
      secure,
      requireTLS: !secure && !isLoopbackAddress(host),
      ...(user === undefined ? {} : { auth: { user, pass: password } }),
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
      transactionLog: true,
      logger: createTransactionWatch((line) => {
        if (line === 'DATA') hasTextBegun = true;
      }),
      // Texts of others must not read files or addresses into a mail.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({
        from,
        to: [...(to ?? [])],
        subject: `[svc] ${message.title}`,
        text: `${renderPlainText(message)}\n`,
        messageId: `<${message.id}@svc.invalid>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { is: 'delivered' };
    } catch (error) {
      return classifySmtpFailure(error, hasTextBegun);
    } finally {
      transport.close();
    }
  },
});

/** A logger of nodemailer that hears each line of the client and keeps nothing. */
function createTransactionWatch(onLine: (line: string) => void) {
  const ignore = () => {};
  return {
    level: ignore,
    trace: ignore,
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
    debug(entry: unknown, line: unknown) {
      if (Object(entry).tnx === 'client') onLine(String(line).trim());
    },
  };
}

/** A mail may have been delivered if its text has begun and no answer says that it was not. */
function classifySmtpFailure(error: unknown, hasTextBegun: boolean): SendOutcome {
  const { responseCode } = Object(error) as { responseCode?: unknown };
  const problem = shorten(joinIntoOneLine(toErrorMessage(error)), MOST_SHOWN_CHARS);
  const isAnswered = typeof responseCode === 'number' && responseCode >= 400;
  return hasTextBegun && !isAnswered
    ? { is: 'uncertain', problem }
    : { is: 'refused', problem, final: false, retryAfterMs: null };
}
