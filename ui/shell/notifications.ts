import { jobHash } from './router.ts';
import type { Waiting } from './attention.ts';

/** False where the browser has none, or where the person has refused them for this page. */
export const canNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied';

/** Asks the person, by the browser, unless they were asked already; true when they allow it. */
export const askToNotify = async (): Promise<boolean> =>
  canNotify() && (await Notification.requestPermission()) === 'granted';

/**
 * Tells of something that waits, where the person does not look at the page; a click leads to it.
 */
export function notify({ key, jobId, title, text }: Waiting): void {
  if (!document.hidden || !canNotify() || Notification.permission !== 'granted') return;
  const notification = new Notification(title, { body: text, tag: key });
  notification.onclick = () => {
    window.focus();
    location.hash = jobHash(jobId);
    notification.close();
  };
}
