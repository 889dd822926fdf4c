import { render } from 'solid-js/web';
import { createClient } from '../src/client/client.ts';
import { App } from './App.tsx';
import { createDashboard } from './logic/dashboard.ts';
import { createDashboardStore } from './logic/dashboardStore.ts';

const store = createDashboardStore();
const dashboard = createDashboard(createClient({ baseUrl: location.origin }), store);
const root = document.getElementById('app');
if (root) render(() => <App store={store} dashboard={dashboard} />, root);
