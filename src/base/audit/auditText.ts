/** What an entry of a team's audit log says. */
export interface AuditFacts {
  /** ISO 8601, UTC, with milliseconds. */
  at: string;
  userId: string | null;
  person: string | null;
  address: string | null;
  action: string;
  target: Readonly<Record<string, string>>;
  /** Code of an error; null = it was asked for. */
  failed: string | null;
  refersTo: number | null;
}

/** An entry in one text: two entries with different facts never have the same one. */
const formatFacts = (facts: AuditFacts): string =>
  JSON.stringify([
    facts.at,
    facts.userId,
    facts.person,
    facts.address,
    facts.action,
    Object.entries(facts.target).sort(([one], [other]) => (one < other ? -1 : 1)),
    facts.failed,
    facts.refersTo,
  ]);

/** The text whose SHA-256 is the hash of entry `n`. `previous`: hash of the entry before; empty = none. */
export const formatAuditText = (previous: string, n: number, facts: AuditFacts): string =>
  `${previous}\n${n}\n${formatFacts(facts)}`;
