const ID_CHARS = 32;

/** The id of a browser by its address, as the runner computes it. */
export async function toBrowserId(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, ID_CHARS);
}
