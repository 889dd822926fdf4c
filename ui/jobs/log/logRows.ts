import type { TimelineSession } from '../../../src/contract/schema/job/timeline.ts';
import { formatDay } from '../jobText.ts';
import type { LogLine } from './logWindow.ts';

/** Of an ISO date: up to ten minutes. In no time zone does a day change within them. */
const TEN_MINUTES = 15;

/** The heading of a session's lines, or of what the runner did before a visit's first session. */
export interface SessionRow {
  kind: 'session';
  key: string;
  phase: string;
  visit: number;
  /** 0 = before the first session of the visit. */
  session: number;
}
export interface DayRow {
  kind: 'day';
  key: string;
  day: string;
}
export interface LineRow {
  kind: 'line';
  line: LogLine;
}
export type LogRowItem = SessionRow | DayRow | LineRow;

export interface SessionGroup {
  row: SessionRow;
  lines: number;
}

/** Makes rows. A row stays the same object while it is shown, to keep its drawing and height. */
export function createRowMaker() {
  const lineRows = new WeakMap<LogLine, LineRow>();
  const others = new Map<string, SessionRow | DayRow>();
  const reuseRow = <Row extends SessionRow | DayRow>(row: Row): Row => {
    const knownRow = others.get(row.key);
    if (knownRow?.kind === row.kind) return knownRow as Row;
    others.set(row.key, row);
    return row;
  };
  const lineRow = (line: LogLine): LineRow => {
    const lineRow = lineRows.get(line) ?? { kind: 'line', line };
    lineRows.set(line, lineRow);
    return lineRow;
  };

  /** The rows of neighbouring lines; those of folded sessions are left out. */
  return (
    lines: readonly LogLine[],
    sessions: readonly TimelineSession[],
    folded: ReadonlySet<string>,
  ): { rows: LogRowItem[]; groups: Map<string, SessionGroup> } => {
    const rows: LogRowItem[] = [];
    const groups = new Map<string, SessionGroup>();
    const findSession = createSessionFinder(sessions);
    let group: SessionGroup | null = null;
    let stretch = '';
    let day = '';
    for (const line of lines) {
      const session = findSession(line);
      if (group === null || group.row.visit !== line.visit || group.row.session !== session) {
        const base = `${line.visit}.${session}`;
        // Lines of a visit may come after another has begun: their heading is one of its own.
        const key: string = groups.has(base) ? `${base}.${line.number}` : base;
        const row: SessionRow = reuseRow({
          kind: 'session',
          key,
          phase: line.phase,
          visit: line.visit,
          session,
        });
        group = { row, lines: 0 };
        groups.set(key, group);
        rows.push(row);
      }
      group.lines += 1;
      if (folded.has(group.row.key)) continue;
      // Dates are made of few lines only: there may be thousands.
      if (!line.at.startsWith(stretch) || stretch === '') {
        stretch = line.at.slice(0, TEN_MINUTES);
        const today = formatDay(line.at);
        if (today !== day && day !== '')
          rows.push(reuseRow({ kind: 'day', key: `day ${today}`, day: today }));
        day = today;
      }
      rows.push(lineRow(line));
    }
    return { rows, groups };
  };
}

/** Finds the session of a line's visit; 0 = none yet. Lines must come in order. */
function createSessionFinder(sessions: readonly TimelineSession[]) {
  let visit = -1;
  let own: readonly TimelineSession[] = [];
  let beganAt = 0;
  return (line: LogLine): number => {
    if (line.visit !== visit) {
      visit = line.visit;
      own = sessions.filter((session) => session.visit === visit);
      beganAt = 0;
    }
    while (beganAt < own.length && (own[beganAt]?.from ?? '') <= line.at) beganAt += 1;
    return own[beganAt - 1]?.session ?? 0;
  };
}
