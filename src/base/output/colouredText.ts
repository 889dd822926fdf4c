/** A sequence that sets colours and weights (SGR), in 7 bits. */
const SGR = '\\u001B\\[[0-9;:]*m';
const SGR_ALONE = new RegExp(SGR, 'g');
const SGR_KEPT = new RegExp(`(${SGR})`);

export const removeColours = (text: string): string =>
  text.includes('\u001B') ? text.replace(SGR_ALONE, '') : text;

export const changeBesideColours = (text: string, change: (part: string) => string): string =>
  text.includes('\u001B')
    ? text
        .split(SGR_KEPT)
        .map((part, index) => (index % 2 === 1 ? part : change(part)))
        .join('')
    : change(text);

/**
 * A text that is screened as a person would read it: a secret may have a colour in its middle. The
 * colours go where something was taken out.
 */
export function screenColoured(text: string, screen: (text: string) => string): string {
  const plain = removeColours(text);
  const safe = screen(plain);
  return safe === plain ? text : safe;
}
