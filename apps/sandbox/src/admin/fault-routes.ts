import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { faultRequest, storedFault } from '../faults/fault-settings.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';

/** Part of the admin API: switches faults on and off. */
export function addFaultRoutes(admin: FastifyInstance, { faults }: SandboxContext): void {
  admin.post('/admin/faults', async (request, reply) => {
    const { target, kind } = checked(faultRequest, request.body);
    const { id } = await faults.switchOn(target, kind, new Date());
    return reply.code(201).send({ id });
  });

  admin.get('/admin/faults', async () => {
    const rows = await faults.list();
    return {
      faults: rows.map(({ id, settings, remaining, matches, created_at }) => {
        const { target, kind } = storedFault.parse(settings);
        const uses = { matches, remaining, isUsedUp: remaining === 0 };
        return { id, ...target, ...kind, ...uses, createdAt: created_at.toISOString() };
      }),
    };
  });

  admin.delete('/admin/faults', async (_request, reply) => {
    await faults.switchOffAll();
    return reply.code(204).send();
  });

  admin.delete<{ Params: { id: string } }>('/admin/faults/:id', async (request, reply) => {
    if (!(await faults.switchOff(checkedId(request.params.id)))) throw new ApiError('INVALID_RESOURCE_ID');
    return reply.code(204).send();
  });
}
