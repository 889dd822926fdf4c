/** A header that was sent once is its value, one that was sent several times a list of them. Names are in lower case. */
export type SentHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * The headers of a request as they were sent. Node's `headers` joins repeated ones with a comma, so that two signatures
 * look like one list.
 */
export const readSentHeaders = ({
  headersDistinct,
}: {
  headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}): SentHeaders =>
  Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => {
      const [value] = values;
      return [name, values.length === 1 && value !== undefined ? value : values];
    }),
  );
