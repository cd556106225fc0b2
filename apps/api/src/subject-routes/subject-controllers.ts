import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import type { SubjectView } from '../rows/subject-rows.js';
import { checkController } from './check-controller.js';
import { decisionController } from './decision-controller.js';
import { orderController } from './order-controller.js';
import { reviewController } from './review-controller.js';
import { subjectController } from './subject-controller.js';
import type { OrderRoutes, ReviewRoutes, SubjectRoutes } from './subject-routes.js';
import { timelineController } from './timeline-controller.js';

/** The controllers of the routes that the kinds of subjects share. A refund is ordered below its payment; a plan has no review. */
export function subjectControllers<
  Row extends SubjectView,
  Filter,
  Answer extends z.ZodType,
  Order = never,
  Decision = never,
>(
  routes: SubjectRoutes<Row, Filter, Answer> &
    (OrderRoutes<Row, Order> | { readonly order?: never }) &
    (ReviewRoutes<Row, Decision> | { readonly review?: never }) & { readonly hasTimeline: boolean },
): Type[] {
  return [
    ...(routes.order ? [orderController(routes)] : []),
    subjectController(routes),
    ...(routes.hasTimeline ? [timelineController(routes)] : []),
    ...(routes.review ? [reviewController(routes), decisionController(routes)] : []),
    checkController(routes),
  ];
}
