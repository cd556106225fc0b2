import { expect } from 'vitest';
import { SandboxFixture } from '../sandbox-fixture.js';
import { LoopbackGuard } from './loopback-guard.js';
import { pointSdkAt } from './sdk.js';

/** The service with the public client pointed at it, and nothing of this process able to leave the machine. */
export class ConformanceFixture {
  private constructor(
    readonly sandbox: SandboxFixture,
    private readonly guard: LoopbackGuard,
  ) {}

  static async start(settings: object = {}): Promise<ConformanceFixture> {
    const guard = new LoopbackGuard();
    const sandbox = await SandboxFixture.start();
    await sandbox.configure(settings);
    pointSdkAt(sandbox.url);
    return new ConformanceFixture(sandbox, guard);
  }

  /** Stops, and says what a test of conformance must not have done. */
  async stop(): Promise<void> {
    const violations = await this.sandbox.violations();
    await this.sandbox.stop();
    this.guard.lift();
    expect(violations).toEqual([]);
    expect(this.guard.prevented).toEqual([]);
    expect(this.guard.reached.size).toBeGreaterThan(0);
  }
}
