import type { CloudReach } from './cloudReach.ts';
import { endFenced } from './endFenced.ts';
import type { PairedHome } from './homes/pairedHome.ts';
import type { Start } from './startOptions.ts';

/** Does what follows from the log of a home: sessions are read on when entries arrive, and a log that ends is obeyed. */
export function followPairedHome(start: Start, reach: CloudReach, pairedHome: PairedHome): void {
  pairedHome.acting.onAcknowledged = () => reach.backlog.look();
  pairedHome.onEnd = (end) => {
    reach.end(end.why === 'fenced' ? (end.holder ?? 'that took the home over') : null);
    if (end.why === 'fenced')
      void endFenced({ ...start, closeHome: () => pairedHome.close() }, end.holder);
    else
      start.log.error(
        { detail: end.detail },
        'the control plane has another history of this home: nothing more is confirmed here. Restart the runner; it then says what to do',
      );
  };
}
