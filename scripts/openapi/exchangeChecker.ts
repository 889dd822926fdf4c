import type { Exchange } from '../../test/support/forges/exchanges.ts';

export interface ExchangeReport {
  /** Operations that were checked, such as `GET /issue/:n`. */
  operations: ReadonlySet<string>;
  checked: number;
  /** What is wrong, a text for each exchange. */
  failures: readonly string[];
  /** What svc asks and the description does not cover, with the reason. */
  uncovered: readonly string[];
}

/** Checks what svc and the fake of a provider say to each other, by the provider's description. */
export interface ExchangeChecker {
  provider: string;
  /** Packages of the npm registry that hold the description and what reads it. */
  packages: readonly string[];
  /** Packages of which only the files are wanted, without what they depend on; default none. */
  unpacked?: readonly string[];
  tests: readonly string[];
  /** `folder`: where the packages are, without a slash at its end. */
  check(exchanges: readonly Exchange[], folder: string): Promise<ExchangeReport>;
}

/** Most exchanges to check per operation and status: a storm makes thousands of similar ones. */
const MOST_ALIKE = 10;

/** At most this many of each operation and status. */
export function chooseExchanges(
  all: readonly Exchange[],
  findOperation: (exchange: Exchange) => string,
): Exchange[] {
  const alike = new Map<string, number>();
  return all.filter((one) => {
    const key = `${findOperation(one)} ${one.answer.status}`;
    alike.set(key, (alike.get(key) ?? 0) + 1);
    return (alike.get(key) ?? 0) <= MOST_ALIKE;
  });
}
