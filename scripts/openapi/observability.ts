import type { Exchange } from '../../test/support/forges/exchanges.ts';
import type { ExchangeChecker } from './exchangeChecker.ts';

/** Nothing checks these: their requests are printed as not covered. */
const undescribed = (provider: string): ExchangeChecker => ({
  provider,
  packages: [],
  tests: [`test/providers/${provider}`, 'test/plugins/builtInServices.test.ts'],
  async check(exchanges: readonly Exchange[]) {
    const requests = exchanges.map(({ method, path }) => {
      const { pathname, searchParams } = new URL(path, 'http://server');
      const names = [...new Set(searchParams.keys())].toSorted();
      const place = pathname.replace(/\/traces\/[^/]+$/, '/traces/{id}');
      return `${method} ${place}${names.length === 0 ? '' : `?${names.join('&')}`}`;
    });
    return {
      operations: new Set<string>(),
      checked: 0,
      failures: [],
      uncovered: [...new Set(requests)].map((one) => `${one}: there is no description of its API`),
    };
  },
});

export const loki = undescribed('loki');
export const tempo = undescribed('tempo');
