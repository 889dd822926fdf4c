import type { Exchange } from '../../test/support/forges/exchanges.ts';

/** What a checker found. */
export interface ExchangeReport {
  /** Operations that were checked, such as `GET /issue/:n`. */
  operations: ReadonlySet<string>;
  /** How many exchanges were checked. */
  checked: number;
  /** What is wrong, a text for each exchange. */
  failures: readonly string[];
  /** What svc asks and the description does not cover, with the reason. */
  uncovered: readonly string[];
}

/** Checks what svc and the fake of a provider say to each other, by the provider's description. */
export interface ExchangeChecker {
  /** As exchanges name it. */
  provider: string;
  /** Packages of the npm registry that hold the description and what reads it. */
  packages: readonly string[];
  /** Packages of which only the files are wanted, without what they depend on; default none. */
  unpacked?: readonly string[];
  /** Tests in which the exchanges are made. */
  tests: readonly string[];
  /** `folder`: where the packages are, without a slash at its end. */
  check(exchanges: readonly Exchange[], folder: string): Promise<ExchangeReport>;
}

/**
 * Exchanges of one operation with one status that are checked at most: a storm makes thousands that
 * differ by a number.
 */
const MOST_ALIKE = 10;

/** At most this many of each operation and status. */
export function chosen(
  all: readonly Exchange[],
  operationOf: (exchange: Exchange) => string,
): Exchange[] {
  const alike = new Map<string, number>();
  return all.filter((one) => {
    const key = `${operationOf(one)} ${one.answer.status}`;
    alike.set(key, (alike.get(key) ?? 0) + 1);
    return (alike.get(key) ?? 0) <= MOST_ALIKE;
  });
}
