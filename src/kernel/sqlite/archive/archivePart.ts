export type PartKind = 'journal' | 'answer' | 'frame';

/** A part of an archive: a gzip member with lines of one kind, readable without the rest. */
export interface ArchivePart {
  kind: PartKind;
  /** Of its first byte in the file. */
  offset: number;
  bytes: number;
  /** First and last row number: frames or journal rows; 0 for answers. */
  from: number;
  to: number;
  /** Of its bytes in the file, lower-case hex. */
  sha256: string;
  /** Tags of its log lines; null = too many to name. */
  tags: readonly string[] | null;
}

/** A stored frame with unparsed JSON. */
export interface StoredFrame {
  n: number;
  at: number;
  kind: string;
  /** JSON. */
  data: string;
}

/** A stored journal row; `event`, `path` and `effects` are JSON. */
export interface StoredEvent {
  seq: number;
  at: number;
  event: string;
  path: string;
  effects: string;
  note: boolean;
}

/** An answer to a tool call; `result` is JSON. */
export interface StoredAnswer {
  key: string;
  ok: boolean;
  result: string;
}

const DATA = ',"data":';

// Stored JSON is copied as it is, so that reading returns the same bytes.

export const formatEventLine = ({ seq, at, event, path, effects, note }: StoredEvent): string =>
  `{"journal":{"seq":${seq},"at":${at},"event":${event},"path":${path},"effects":${effects},"note":${note}}}\n`;

export const formatAnswerLine = ({ key, ok, result }: StoredAnswer): string =>
  `{"answer":{"key":${JSON.stringify(key)},"ok":${ok},"result":${result}}}\n`;

export const formatFrameLine = ({ n, at, kind, data }: StoredFrame): string =>
  `{"frame":{"n":${n},"at":${at},"kind":${JSON.stringify(kind)}${DATA}${data}}}\n`;

export function parseFrameLine(line: string): StoredFrame {
  const dataAt = line.indexOf(DATA);
  const { frame } = JSON.parse(`${line.slice(0, dataAt)}}}`) as {
    frame: Omit<StoredFrame, 'data'>;
  };
  return { ...frame, data: line.slice(dataAt + DATA.length, -2) };
}
