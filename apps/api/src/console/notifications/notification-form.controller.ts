import { Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formOf } from '../../sign-in/own-forms.js';
import { Needs, Visitor } from '../console.guard.js';
import { textsIn } from '../html/filters.js';
import type { Visit } from '../html/layout.js';
import type { NotificationForm } from './notification-form.js';
import type { NotificationForms } from './notification-forms.js';

/** A form, its confirmation and its execution, below the page that it belongs to. */
export abstract class NotificationFormController<Named> {
  constructor(private readonly forms: NotificationForms) {}

  /** @throws {Problem} 404. */
  protected abstract formOf(named: Named): Promise<NotificationForm>;

  @Get()
  @Needs('operator')
  async show(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const form = await this.formOf(named);
    return this.forms.show({ visit, form, entered: textsIn(query), reply });
  }

  @Get('confirm')
  @Needs('operator')
  async confirm(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const form = await this.formOf(named);
    return await this.forms.confirm({ visit, form, entered: textsIn(query), reply });
  }

  @Post()
  @HttpCode(200)
  @Needs('operator')
  async perform(
    @Visitor() visit: Visit,
    @Param() named: Named,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const form = await this.formOf(named);
    return await this.forms.perform({ visit, form, entered: formOf(request), reply });
  }
}
