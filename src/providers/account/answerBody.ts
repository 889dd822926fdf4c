import { SvcError } from '../../lib/errors.ts';

/** Largest answer of an API that is read, bytes after decompression. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The same of a diff, which is one text however much a pull request changes. */
export const MAX_DIFF_BYTES = 16 * 1024 * 1024;

/**
 * Reads the body piece by piece and stops at the limit, so that neither a long answer nor a small
 * one that unpacks to a huge one fills the memory. Throws SvcError `too-large` that names the host;
 * `data.sent` is true, since the server has taken the request.
 */
export async function textWithin(
  response: Response,
  host: string,
  maxBytes: number,
): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      const limit = `${maxBytes / (1024 * 1024)} MiB`;
      throw new SvcError(
        'too-large',
        `${host} answers with more than ${limit}, the most that svc reads.`,
        {
          data: { sent: true },
        },
      );
    }
    text += decoder.decode(value, { stream: true });
  }
}
