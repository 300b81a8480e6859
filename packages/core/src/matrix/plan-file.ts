import type { Driver } from '../load/driver.ts';
import type { PinMode } from '../load/pin.ts';
import type { ProfileChoice } from '../profile/choice.ts';
import type { PlanPath } from './problem.ts';

/** In which order the runs of a plan are done; see `orderRuns`. */
export const PLAN_ORDERS = ['interleaved', 'sequential', 'shuffled'] as const;
export type PlanOrder = (typeof PLAN_ORDERS)[number];

/** Steps after which the data directory can be kept, for later runs to start from. */
export const BRANCH_POINTS = ['l.x', 'l.i2'] as const;
export type BranchPoint = (typeof BRANCH_POINTS)[number];

/** One build of a plan. */
export interface BuildEntry {
  /** Name of a build, or path of a directory with `bin/postgres`. */
  readonly build: string;
  /** Its part of the tag; unique on its axis. */
  readonly label: string;
  /** Where in the file it is, for messages. */
  readonly path: PlanPath;
}

/** One configuration of a plan: a named one or a file, and the settings that change it. */
export interface ConfigEntry {
  readonly config: string;
  /** Settings that override the configuration's, as PostgreSQL reads them, without quotes. */
  readonly settings: Readonly<Record<string, string>>;
  readonly label: string;
  readonly path: PlanPath;
}

/** One workload of a plan: a preset or a file, and the parameters that change it. */
export interface WorkloadEntry {
  readonly workload: string;
  /** Parameters that override the file's; each is known, and right by itself. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Name of the workload in the store; unique on its axis. */
  readonly label: string;
  readonly path: PlanPath;
}

/** The three axes of the matrix; the fourth is the number of repeats. */
export interface PlanAxes {
  readonly builds: readonly BuildEntry[];
  readonly configs: readonly ConfigEntry[];
  readonly workloads: readonly WorkloadEntry[];
}

/** Cells that are not run: those with one of the labels on every axis that is not null. */
export interface PlanExclude {
  readonly build: readonly string[] | null;
  readonly config: readonly string[] | null;
  readonly workload: readonly string[] | null;
}

/** What the other cells are compared with: all cells with this label on the axis, or with this tag. */
export interface PlanBase {
  readonly kind: 'build' | 'config' | 'tag';
  readonly label: string;
}

/** What is asked of the host before every run. */
export interface PlanHostBounds {
  /** Highest load average over one minute; null: as many as there are CPUs. */
  readonly maxLoad: number | null;
  /** Free space where the data goes, bytes; null: not said. */
  readonly minFreeDisk: number | null;
  readonly allowOtherPostgres: boolean;
  /** How long a busy host is waited for, seconds, and whether the run then starts all the same. */
  readonly waitSeconds: number;
  readonly whenBusy: 'warn' | 'fail';
}

/** Options of `ibench run` that hold for every run of the plan. */
export interface PlanRunOptions {
  readonly driver: Driver;
  readonly libpq: string | null;
  readonly spin: boolean;
  readonly pin: PinMode;
  readonly keepData: boolean;
  /** Folder in which every run makes a folder for the server's data; null: in the run's own folder. */
  readonly dataDir: string | null;
  readonly serverUser: string | null;
  readonly devices: readonly string[];
  /** Builds with assertions or without optimisation may run. */
  readonly allowDebugBuild: boolean;
  /** null: no stacks are sampled. */
  readonly profile: ProfileChoice | null;
}

/** A plan as its file says it, complete and consistent in itself. */
export interface PlanFile extends PlanAxes {
  readonly name: string;
  readonly description: string | null;
  readonly repeats: number;
  readonly excludes: readonly PlanExclude[];
  readonly base: PlanBase | null;
  readonly order: { readonly kind: PlanOrder; readonly seed: number };
  /** No run starts that cannot end within this time, seconds; null: no bound. */
  readonly budgetSeconds: number | null;
  /** Pause between two runs, seconds. */
  readonly cooldownSeconds: number;
  /** How often a failed run is done again. */
  readonly retries: 0 | 1;
  readonly reuse: BranchPoint | null;
  readonly host: PlanHostBounds;
  readonly run: PlanRunOptions;
}

/** One cell of the matrix. */
export interface Cell {
  readonly build: string;
  readonly config: string;
  readonly workload: string;
  readonly overrides: {
    readonly settings: Readonly<Record<string, string>>;
    readonly set: Readonly<Record<string, unknown>>;
  };
  /** Labels of the three entries; together they name the cell in its plan. */
  readonly labels: { readonly build: string; readonly config: string; readonly workload: string };
  /** Label of the cell's runs in tables, `<build>.<config>`. */
  readonly tag: string;
}

/** One run of a plan. */
export interface PlannedRun {
  /** Position in the plan's order, from 1. */
  readonly ordinal: number;
  readonly cell: Cell;
  /** Which repeat of its cell, from 1. */
  readonly repeat: number;
}
