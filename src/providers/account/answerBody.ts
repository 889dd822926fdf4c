import { SvcError } from '../../base/errors/errors.ts';

export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
export const MAX_DIFF_BYTES = 16 * 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

function createDecoder(charset: string | undefined): TextDecoder | null {
  try {
    return charset === undefined ? null : new TextDecoder(charset);
  } catch {
    return null;
  }
}

function readByteOrder([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * The text of an answer. Bytes that are valid UTF-8 are read as UTF-8, whatever a proxy says;
 * others with the charset that the answer names.
 */
function decodeBody(bytes: Uint8Array, contentType: string | null): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1];
  const wide = /^utf-?16/i.test(charset ?? '') ? charset : readByteOrder(bytes);
  const wideDecoder = createDecoder(wide);
  if (wideDecoder) return wideDecoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return (createDecoder(charset) ?? new TextDecoder()).decode(bytes);
  }
}

/** The body of an answer broke off, or cannot be decompressed, after its status had come. */
export class BrokenBody extends Error {
  readonly status: number;

  constructor(status: number, cause: unknown) {
    super(`answer ${status} breaks off`, { cause });
    this.status = status;
  }
}

/**
 * The text of an answer, as `readBoundedText`. Throws BrokenBody where the body cannot be read to
 * its end; for a refusal it is empty then, since status and headers say enough.
 */
export async function readBody(
  response: Response,
  host: string,
  maxBytes: number,
): Promise<string> {
  try {
    return await readBoundedText(response, host, maxBytes);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (response.status >= 300) return '';
    throw new BrokenBody(response.status, error);
  }
}

/**
 * Reads the body piece by piece and stops at the limit, so that neither a long answer nor a small
 * one that decompresses to a huge one fills the memory. Throws SvcError `too-large` that names the
 * host; `data.sent` is true, since the server has taken the request.
 */
export async function readBoundedText(
  response: Response,
  host: string,
  maxBytes: number,
): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return decodeBody(Buffer.concat(pieces, size), response.headers.get('content-type'));
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
    pieces.push(value);
  }
}
