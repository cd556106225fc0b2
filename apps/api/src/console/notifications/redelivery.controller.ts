import { Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formOf } from '../../sign-in/own-forms.js';
import { Needs, Visitor } from '../console.guard.js';
import { textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import type { Redeliveries } from './redeliveries.js';
import type { Redelivery } from './redelivery.js';

/** The form that delivers something again, its confirmation and its execution, below the page that it belongs to. */
export abstract class RedeliveryController<Named> {
  constructor(private readonly redeliveries: Redeliveries) {}

  /** @throws {Problem} 404. */
  protected abstract redeliveryOf(named: Named): Promise<Redelivery>;

  @Get()
  @Needs('operator')
  async form(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = await this.redeliveryOf(named);
    return this.redeliveries.form({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Get('confirm')
  @Needs('operator')
  async confirm(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const redelivery = await this.redeliveryOf(named);
    return await this.redeliveries.confirm({ visit, redelivery, entered: textsIn(query), reply });
  }

  @Post()
  @HttpCode(200)
  @Needs('operator')
  async resend(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const redelivery = await this.redeliveryOf(named);
    return await this.redeliveries.perform({ visit, redelivery, entered: formOf(request), reply });
  }
}
