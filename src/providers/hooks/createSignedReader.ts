import { createHash } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { quoteHugeIntegers } from '../../base/json/quoteHugeIntegers.ts';
import type { WebhookManifest } from '../../contract/schema/runner/plugin.ts';
import type { ReadDelivery, ReadWebhook, ReceivedDelivery } from '../../contract/forge/hook.ts';
import { answerChallenge } from './answerChallenge.ts';
import { readDeliveryHeader } from './readDeliveryHeader.ts';
import { readDeliveryId } from './readDeliveryId.ts';
import { isRecentDelivery, verifyWebhook } from './signature.ts';
import { isTimeSigned } from './signedText.ts';

/** The id of a delivery, from its bytes, where the provider gives it none. */
export const hashDelivery = (rawBody: Uint8Array): string =>
  `sha256:${createHash('sha256').update(rawBody).digest('hex')}`;

interface SignedProvider {
  /** Plugin id; its secret is `plugins.installed.<id>.config.webhookSecret`. */
  id: string;
  /** How the provider signs with this secret. */
  signature(secret: string): WebhookManifest;
  /**
   * Headers that may hold the id of a delivery, of which the first present one counts; none: the id
   * is derived from the bytes.
   */
  idHeaders: readonly string[];
  /**
   * Field of a form that holds the JSON, for a provider that sends forms too. Whether a delivery is one is seen from its
   * bytes: the content type is not signed. Left out: JSON alone.
   */
  formField?: string;
  /**
   * Reads a genuine delivery. Never throws. `header`: the value of a header, which is not signed;
   * null for a missing or repeated one.
   */
  read(payload: unknown, header: (name: string) => string | null): Omit<ReadDelivery, 'id'>;
}

const STANDARD_HINT = ', which is base64 in this format: the key is what it decodes to';

/** Throws SvcError `unauthorized` for a delivery that was not signed with the secret, or not lately. */
function checkSignature(
  plugin: string,
  webhook: WebhookManifest,
  secret: string,
  delivery: ReceivedDelivery,
): void {
  if (readDeliveryHeader(delivery, webhook.header) === null) {
    throw new SvcError(
      'unauthorized',
      `The delivery is not signed: it has no header ${webhook.header}, or two. Give the sender the secret plugins.installed.${plugin}.config.webhookSecret.`,
    );
  }
  if (!verifyWebhook(webhook, delivery, secret)) {
    const hint = webhook.format === 'standard' ? STANDARD_HINT : '';
    const orLate = isTimeSigned(webhook) ? ' Or its timestamp is not current.' : '';
    throw new SvcError(
      'unauthorized',
      `The delivery was not signed with the secret plugins.installed.${plugin}.config.webhookSecret${hint}.${orLate}`,
    );
  }
}

/** The same for a time in the body. */
function checkTimestampField(
  webhook: WebhookManifest,
  payload: unknown,
  delivery: ReceivedDelivery,
): void {
  const { timestampField } = webhook;
  if (timestampField !== undefined && typeof Object(payload)[timestampField] !== 'number') {
    throw new SvcError(
      'unauthorized',
      `The delivery has no number ${timestampField} in its body: the time of sending, epoch ms.`,
    );
  }
  if (!isRecentDelivery(webhook, payload, delivery.receivedAt)) {
    throw new SvcError(
      'unauthorized',
      'The timestamp of the delivery is not current: it may be a replay, or a clock is wrong.',
    );
  }
}

/**
 * Makes a reader that checks the signature first, then the time, then the content. With null for the
 * secret it checks neither: for deliveries that the control plane has verified, where this runner
 * has no secret of its own.
 */
export const createSignedReader =
  ({ id: plugin, signature, idHeaders, formField, read }: SignedProvider) =>
  (secret: string | null): ReadWebhook => {
    const webhook = secret === null ? null : signature(secret);
    return (delivery) => {
      if (webhook !== null && secret !== null) checkSignature(plugin, webhook, secret, delivery);
      const payload = parseDelivery(delivery, formField);
      if (webhook !== null) checkTimestampField(webhook, payload, delivery);
      const challenge =
        webhook === null || secret === null ? null : answerChallenge(webhook, delivery, secret);
      if (challenge !== null)
        return { id: hashDelivery(delivery.rawBody), subject: null, event: null, challenge };
      return {
        id: readDeliveryId(delivery, idHeaders) ?? hashDelivery(delivery.rawBody),
        ...read(payload, (name) => readDeliveryHeader(delivery, name)),
      };
    };
  };

/** No JSON begins like a form with this field. */
function readJsonText(text: string, formField: string | undefined): string {
  if (formField === undefined || !text.startsWith(`${formField}=`)) return text;
  const values = new URLSearchParams(text).getAll(formField);
  return values.length === 1 ? (values[0] ?? '') : '';
}

function parseDelivery({ rawBody }: ReceivedDelivery, formField: string | undefined): unknown {
  try {
    const text = Buffer.from(rawBody).toString('utf8');
    return JSON.parse(quoteHugeIntegers(readJsonText(text, formField)));
  } catch {
    throw new SvcError(
      'malformed',
      'The delivery is not JSON: choose the content type application/json for the webhook.',
    );
  }
}
