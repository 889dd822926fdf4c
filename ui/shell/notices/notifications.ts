export interface Notice {
  /** The same news have the same key. */
  key: string;
  title: string;
  text: string;
  hash: string;
}

/** False where the browser has none, or where the person has refused them for this page. */
export const canNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied';

/** Asks the person, by the browser, unless they were asked already; true when they allow it. */
export const askToNotify = async (): Promise<boolean> =>
  canNotify() && (await Notification.requestPermission()) === 'granted';

/** Tells the news where the person does not look at the page; a click leads to them. */
export function notify({ key, title, text, hash }: Notice): void {
  if (!document.hidden || !canNotify() || Notification.permission !== 'granted') return;
  const notification = new Notification(title, { body: text, tag: key });
  notification.onclick = () => {
    window.focus();
    location.hash = hash;
    notification.close();
  };
}
