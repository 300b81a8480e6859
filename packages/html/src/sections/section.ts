import type { RunRecord } from '@ibench/core';
import type { RunGroup, Table } from '@ibench/report';
import type { ChartPart, StepChart } from '../charts/catalogue.ts';
import type { RoleFlames } from '../flames.ts';
import type { Evidence, StepRow } from '../rows.ts';

/** What the sections of a step are made from. */
export interface StepContext {
  readonly step: string;
  readonly tables: readonly Table[];
  readonly rows: readonly StepRow[];
  readonly charts: Readonly<Record<ChartPart, readonly StepChart[]>>;
  readonly flames: readonly RoleFlames[];
}

/** A part of a step's page. */
export interface StepSection {
  /** Last part of its anchor: `l.i1/rt`. */
  readonly id: string;
  readonly title: string;
  /** Its markup without the heading; null where the step has nothing to show. */
  readonly render: (context: StepContext) => string | null;
}

/** What the sections of the whole page are made from. */
export interface PageContext {
  /** In the order of their rows. */
  readonly runs: readonly RunRecord[];
  /** The base first. */
  readonly rows: readonly RunGroup[];
  readonly steps: readonly string[];
  /** Tables over all steps. */
  readonly tables: readonly Table[];
  /** Charts over all steps. */
  readonly charts: readonly StepChart[];
  readonly evidence: Evidence;
}

/** A part of the page that is not about one step. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly render: (context: PageContext) => string | null;
}
