import { CloudLink } from '../../src/cloudLink/cloudLink.ts';
import { linkOptions } from '../../test/support/cloud/testTeam.ts';
import { answerCalls } from '../hostProcess.ts';

/** Many runners without jobs: each is the link of one, and nothing else. */
const links: CloudLink[] = [];
const connected = new Set<number>();

const calls = {
  open(url: string, tokens: string[]): void {
    for (const [n, token] of tokens.entries())
      links.push(
        new CloudLink(
          linkOptions(url, token, null, {
            homeId: `r${n}`,
            random: Math.random,
            onConnection(state) {
              if (state === 'connected') connected.add(n);
              else connected.delete(n);
            },
          }),
        ),
      );
  },
  connected: (): number => connected.size,
  close(): void {
    for (const link of links) link.close();
  },
};

export type LinksHostCalls = typeof calls;

answerCalls(calls);
