import type { Instant } from './column-types.js';

interface DashboardSessionsTable {
  session_sha256: string;
  ends_at: Instant;
}

export interface DashboardTables {
  dashboard_sessions: DashboardSessionsTable;
}
